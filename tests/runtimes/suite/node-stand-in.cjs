// What stands for modules that only Node has to have: on other runtimes, a test that uses something of them is skipped.
const { NotHere } = require("./not-here.ts");

function get(_target, name) {
  function notHere() {
    throw new NotHere(`${String(name)} of Node`);
  }
  // A class of it may be extended; all else of it, such as a table, is not here either.
  return new Proxy(notHere, { get: (target, key) => (key === "prototype" ? target[key] : notHere()) });
}

// As a prototype, because the bundler copies own properties, of which there are none.
module.exports = Object.create(new Proxy({}, { get }), { __esModule: { value: true } });
