import { Inbox } from "fingerpost/events";

/**
 * An inbox that processes share by a table of PostgreSQL, whose changes they LISTEN for. `sql` is what the package
 * postgres makes.
 *
 * A notification can be lost with its connection, and holds 8,000 bytes. So it only says that there is something to
 * read.
 */
export async function postgresFeed(sql, { maxEvents = 1_000 } = {}) {
  const inbox = new Inbox({ maxEvents });
  await sql.begin(async (transaction) => {
    // "If not exists" alone fails where two processes begin at once.
    await transaction`select pg_advisory_xact_lock(7308)`;
    await transaction`create table if not exists events (id bigserial primary key, data jsonb not null)`;
  });
  let [{ last }] = await sql`select greatest(max(id) - ${maxEvents}, 0) as last from events`;
  const read = async () => {
    for (let rows = null; rows?.length !== 0;) {
      rows = await sql`select id, data from events where id > ${last ?? 0} order by id limit 100`;
      for (const { id, data } of rows) inbox.send(data, { id: (last = id) });
    }
  };
  // One after the other, also after the connection was lost and is there again.
  let reading = Promise.resolve();
  const readOn = () => (reading = reading.then(read).catch(() => {}));
  const { unlisten } = await sql.listen("events", readOn, readOn);
  await reading;
  const send = (data) =>
    sql.begin(async (transaction) => {
      // Ids are to be seen in their order: who takes the next one waits until this one is there.
      await transaction`select pg_advisory_xact_lock(7308)`;
      const [{ id }] = await transaction`insert into events (data) values (${sql.json(data)}) returning id`;
      await transaction`delete from events where id <= ${id - 10 * maxEvents}`;
      await transaction`select pg_notify('events', '')`;
      return id;
    });
  return { inbox, send, stop: unlisten };
}
