/** The one style of the page. Its hash is in the policy. */
export const style: string = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1c1e; --soft: #f3f4f6; --line: #c9ccd1; --link: #0b57d0;
--dim: #55585e; --get: #0b57d0; --post: #146c2e; --put: #8a4b00; --patch: #00636e; --delete: #b3261e }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #e8e8ea; --soft: #22252b; --line: #4a4e56;
--link: #9dc1ff; --dim: #b4b8c0; --get: #9dc1ff; --post: #7fd99a; --put: #f0bd6e; --patch: #7fd4e0;
--delete: #ffb4ab } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--back); color: var(--text);
font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
h1 { margin: .5rem 0 } h2 { border-bottom: 1px solid var(--line) } h4 { margin: 1rem 0 .25rem }
h3 b, nav b { display: inline-block; padding: 0 .4rem; border-radius: .3rem; background: var(--method, var(--dim));
color: var(--back); font-size: .8rem }
nav b { min-width: 4.5rem; text-align: center }
.get, .head { --method: var(--get) } .post { --method: var(--post) } .put { --method: var(--put) } .patch {
--method: var(--patch) } .delete { --method: var(--delete) }
.lock { width: 1em; height: 1em; vertical-align: -.125em; fill: currentColor }
small { color: var(--dim); font-weight: 400; font-size: .85em }
[role=search], article form div { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
#q { flex: 1 1 12rem; min-width: 0 }
label span { display: block } article input:not([type=file]), textarea { width: 100% }
article form, article form + output { display: grid; gap: .5rem; margin: .5rem 0 }
article form > * { min-width: 0 }
input, textarea, button { max-width: 100%; font: inherit; padding: .4rem .6rem; border: 1px solid var(--dim);
border-radius: .3rem; background: var(--back); color: var(--text) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
code, pre { font: .875rem/1.45 ui-monospace, monospace }
pre { margin: .25rem 0; padding: .6rem; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem;
white-space: pre-wrap }
nav a { text-decoration: none } nav ul { margin: 0; padding: 0; list-style: none } nav li { margin: .2rem 0 }
nav small { display: block; padding-left: 4.8rem } nav h2 { margin: 1rem 0 .25rem; font-size: 1rem; border: 0 }
article { margin: 1.5rem 0; padding: 0 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
article:target { border-color: var(--link) }
dl { display: grid; grid-template-columns: 10rem minmax(0, 1fr); margin: 0 } dt, dd { padding: .35rem 1rem .35rem 0;
border-top: 1px solid var(--line) }
dt { font-weight: 600 } dd { margin: 0; min-width: 0 } dd p { margin: 0 } main ul { margin: 0; padding-left: 1.2rem }
em { padding: 0 .4rem; border: 1px solid var(--dim); border-radius: .3rem; color: var(--dim); font-size: .8rem;
font-weight: 400; font-style: normal }
summary { cursor: pointer }
[hidden] { display: none }
@media (min-width: 60rem) { body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); column-gap: 2rem }
header { grid-column: 1 / -1 } nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1rem 0 } }
@media (max-width: 36rem) { dl { grid-template-columns: minmax(0, 1fr) } dd { padding-top: 0; border: 0 } article {
padding: 0 .6rem .6rem } }
`
  // Nobody reads it there.
  .replaceAll("\n", "")
  .replaceAll(/ ?([{};,]) ?|(:) /g, "$1$2");
