// What stands for modules that only Node has to have: on other runtimes, a test that uses something of them is skipped.
const { NotHere } = require("./not-here.ts");

function get(_target, name) {
  return function notHere() {
    throw new NotHere(`${String(name)} of Node`);
  };
}

// As a prototype, because the bundler copies own properties, of which there are none.
module.exports = Object.create(new Proxy({}, { get }), { __esModule: { value: true } });
