/** What both servers of a row answer with. */
export const books = Array.from({ length: 100 }, (_, at) => ({
  id: at + 1,
  title: `Book ${at + 1}`,
  text: "All work and no play. ".repeat(5),
}));
export const chunk = Buffer.alloc(65_536, "x");
export const novel = "All work and no play makes Jack a dull boy. ".repeat(230);

/** Tells the parent where the server listens, and what it took. */
export function listening(port) {
  process.on("message", () => process.send(process.cpuUsage()));
  process.on("disconnect", () => process.exit());
  process.send(port);
}
