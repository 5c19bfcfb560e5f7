// Applications with tools of agents, as a worker. They are made by the first request: before, a worker has no secrets.
export default {
  async fetch(request) {
    const agents = await import("./agents.ts");
    return agents.fetch(request);
  },
};
