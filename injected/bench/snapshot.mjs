// Cost of a page of 10,000 elements in CPU milliseconds of the page's main thread, which do not depend on machine load.
// "First" includes compiling the injected script; "restyled" includes style and layout work.

import { Browser } from "../test/browser.mjs";

const rows = Number(process.argv[2] ?? 550);

const row = (i) => `
  <tr class="r${i % 7}"><td><input type="checkbox" aria-label="Choose ${i}"></td><td><a href="/item/${i}">Item <b>${i}</b></a></td>
  <td><span class="tag">new</span> <span>Description of item ${i}, <em>with</em> some words</span></td>
  <td><div class="cell"><div><button class="icon" title="Edit ${i}"><i></i></button><button>Delete</button></div></div></td>
  <td><label>Amount <input value="${i}"></label></td></tr>`;

const page = `<style>.cell{display:flex}.tag::before{content:"#"}button{cursor:pointer}.r3{color:red}</style>
  <header><nav><ul>${Array.from({ length: 60 }, (_, i) => `<li><a href="#${i}">Section ${i}</a></li>`).join("")}</ul></nav></header>
  <main><h1>Items</h1><table><thead><tr><th>Choose<th>Item<th>About<th>Do<th>Amount</tr></thead><tbody>
  ${Array.from({ length: rows }, (_, i) => row(i)).join("")}</tbody></table></main>`;

const browser = await Browser.start();
const tab = await browser.open(page);
const elements = await tab.evaluate("document.querySelectorAll('*').length");

await tab.cdp.send("Performance.enable", { timeDomain: "threadTicks" });
const cpu = async () => (await tab.cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;

/** CPU milliseconds that an expression takes on the page's main thread. */
const cost = async (expression) => {
  const before = await cpu();
  await tab.evaluate(expression);
  return (await cpu()) - before;
};
const median = async (expression) => {
  const costs = [];
  for (let i = 0; i < 15; i++) costs.push(await cost(expression));
  return costs.sort((a, b) => a - b)[7];
};

const snapshot = "cicerone.call('snapshot', '{}').length";
const bytes = await (await browser.open(page)).evaluate(snapshot);
const results = {
  nothing: await median("1"),
  first: await cost(snapshot),
  again: await median(snapshot),
  "all restyled": await median(`document.body.classList.toggle('x'); document.documentElement.style.fontSize = Math.random() + 15 + 'px'; ${snapshot}`),
  "as html": await median("cicerone.call('snapshot', '{\"html\":true}').length"),
  "find by role": await median(`cicerone.call('find', '{"target":{"role":"button","name":"nope"}}').length`),
  "text search": await median(`cicerone.call('wait', '{"text":"Items","timeout":0}').length`),
};

console.log(`${elements} elements, ${bytes} characters; CPU ms of the page's thread`);
for (const [what, ms] of Object.entries(results)) console.log(`${what.padEnd(14)} ${ms.toFixed(1)}`);
await browser.stop();
