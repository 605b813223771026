"use strict";

// Everything of the service is text: it becomes a part of the page through textContent and
// through attributes that load nothing. The policy of the page forbids the rest.

const most = 500; // rows of a list
const find = (id) => document.getElementById(id);

// make returns an element with text and children.
function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content.filter((part) => part !== "" && part != null));
  return element;
}

// say tells what was done, also to those who do not see the page.
function say(text, isBad) {
  const message = find("message");
  message.className = isBad ? "bad" : "";
  message.textContent = text;
}

// post does something, and returns the problem, or "".
async function post(path, fields) {
  let text = "The service does not respond. Is it still running?";
  let ok = false;
  try {
    const response = await fetch(path, { method: "POST", body: new URLSearchParams(fields) });
    text = (await response.text()).trim();
    ok = response.ok;
  } catch {
    // it does not respond
  }
  say(text, !ok);
  return ok ? "" : text;
}

// Rows of requests and of deliveries, newest first.

class Rows {
  constructor(kind, draw) {
    this.kind = kind;
    this.list = find(kind + "-list");
    this.empty = find({ request: "no-requests", delivery: "no-deliveries" }[kind]);
    this.older = find({ request: "older-requests", delivery: "older-deliveries" }[kind]);
    this.draw = draw;
    this.rows = new Map(); // by ID
    this.dropped = new Set(); // the IDs of rows that made room, or were cleared
    this.left = 0; // of these, those that made room
  }

  clear() {
    this.rows.forEach((_, id) => this.dropped.add(id));
    this.rows.clear();
    this.list.replaceChildren();
    this.empty.hidden = false;
    this.leave(0);
  }

  reset() {
    this.clear();
    this.dropped.clear(); // of another service, whose numbers begin again
  }

  // leave says how many rows are not shown any more.
  leave(count) {
    this.left = count;
    this.older.hidden = !count;
    this.older.textContent = `Only the newest ${most} are shown; ${count} older ones are in the transcript.`;
    if (this.kind === "delivery") this.older.textContent = `Only the newest ${most} are shown, not ${count} older ones.`;
  }

  put(record) {
    if (this.dropped.has(record.id)) return; // a request that was cleared has ended
    const known = this.rows.get(record.id);
    const row = known ?? this.add(record);
    row.record = record;
    row.text = JSON.stringify(record).toLowerCase();
    this.draw(row);
    if (row.details.open) row.unfold();
    filter(row);
  }

  add(record) {
    const row = { record, summary: make("summary"), inside: make("div", "inside") };
    row.details = make("details", "", row.summary, row.inside);
    row.item = make("li", "fresh", row.details);
    row.details.addEventListener("toggle", () => row.details.open && row.unfold());
    this.rows.set(record.id, row);
    this.list.prepend(row.item);
    this.empty.hidden = true;
    if (this.rows.size > most) {
      const [oldest, gone] = this.rows.entries().next().value;
      gone.item.remove();
      this.rows.delete(oldest);
      this.dropped.add(oldest);
      this.leave(this.left + 1);
    }
    return row;
  }
}

const statusClass = (record) => (record.ended === false ? "waits" : "s" + Math.floor(record.status / 100));

function statusText(record) {
  if (record.ended === false) return "under way";
  return record.status ? String(record.status) : "no response";
}

function section(title, ...content) {
  return [make("h3", "", title), ...content];
}

function headerList(lines) {
  return make("dl", "", ...lines.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
}

const attempt = (r) => (r.attempt > 1 ? make("span", "badge", "attempt " + r.attempt) : "");

const requests = new Rows("request", (row) => {
  const r = row.record;
  row.summary.replaceChildren(
    make("time", "", r.at),
    make("span", "method mono", r.method),
    make("span", "where", make("span", "address mono", r.address), attempt(r)),
    make("span", "user quiet", r.user),
    make("span", "status " + statusClass(r), statusText(r)),
    make("span", "took", r.took),
  );
  row.unfold = () => {
    const copy = make("button", "", "Copy as curl");
    copy.type = "button";
    copy.addEventListener("click", () => copyText(r.curl, row.inside));
    row.inside.replaceChildren(
      ...section("Request " + r.id + (r.route ? ", " + r.route : ", no such route"), headerList(r.header)),
      ...(r.body ? section("Body", make("pre", "", r.body)) : []),
      ...(r.answer ? section("Response", make("pre", "", r.answer)) : []),
      copy,
    );
  };
});

const deliveries = new Rows("delivery", (row) => {
  const d = row.record;
  row.summary.replaceChildren(
    make("time", "", d.at),
    make("span", "method", d.event),
    make("span", "where", make("span", "address mono", d.url)),
    make("span", "status " + statusClass(d), statusText(d)),
    make("span", "took", d.took),
  );
  row.unfold = () => {
    row.inside.replaceChildren(
      ...(d.problem ? section("No response", make("pre", "", d.problem)) : section("Answered with " + d.status, headerList(d.answered))),
      ...(d.answer ? section("Body of the response", make("pre", "", d.answer)) : []),
      ...section("Sent", headerList(d.header)),
      ...section("Body", make("pre", "", d.body)),
    );
  };
});

async function copyText(text, place) {
  try {
    await navigator.clipboard.writeText(text);
    say("The command is in the clipboard. It takes the credential from $SERVICE_TOKEN.");
  } catch {
    // A page that was not reached at a loopback address has no clipboard.
    const area = place.querySelector("textarea") ?? place.appendChild(make("textarea"));
    area.value = text;
    area.readOnly = true;
    area.setAttribute("aria-label", "The command, to be copied");
    area.select();
    say("Copy the selected command. It takes the credential from $SERVICE_TOKEN.");
  }
}

find("clear").addEventListener("click", () => {
  requests.clear();
  deliveries.clear();
  count();
  say("The lists are empty. The transcript still has the requests.");
});

// Filters.

const filters = find("filters");

function matches(row) {
  const status = filters.status.value;
  const method = filters.elements.method.value; // form.method is something else
  const text = filters.text.value.trim().toLowerCase();
  const record = row.record;
  return (
    (!status || (record.ended !== false && String(Math.floor(record.status / 100)) === status)) &&
    (!method || (record.method ?? "POST") === method) &&
    (!text || row.text.includes(text))
  );
}

function filter(row) {
  row.item.hidden = !matches(row);
  count();
}

let counting = false;
function count() {
  if (counting) return;
  counting = true;
  requestAnimationFrame(() => {
    counting = false;
    const rows = [...requests.rows.values()];
    const shown = rows.filter((row) => !row.item.hidden).length;
    find("count").textContent = shown === rows.length ? `${rows.length}` : `${shown} of ${rows.length}`;
  });
}

function filterAll() {
  for (const rows of [requests, deliveries]) rows.rows.forEach(filter);
  count();
}
filters.addEventListener("input", filterAll);
filters.addEventListener("reset", () => setTimeout(filterAll)); // when the fields are empty
filters.addEventListener("submit", (event) => event.preventDefault());

// The tree of objects. What was unfolded stays so when the tree is drawn again.

const unfolded = new Map(); // by key

function drawNode(node) {
  const line = [make("span", "kind", node.kind), " ", make("span", "label", node.label)];
  if (node.note) line.push(" ", make("span", "quiet mono", node.note));
  if (node.status) line.push(" ", make("span", node.status, node.status));
  const links = (node.links ?? []).flatMap((link) => [drawLink(link), " "]);
  const children = (node.children ?? []).map(drawNode);
  if (node.older) children.push(make("li", "leaf quiet", `${node.older} older are not shown`));

  const item = make("li");
  item.id = node.key;
  item.tabIndex = -1; // a link can lead here
  if (!children.length && !links.length) {
    item.className = "leaf";
    item.append(...line);
    return item;
  }
  const details = make("details", "", make("summary", "", ...line));
  if (links.length) details.append(make("div", "links", ...links));
  if (children.length) details.append(make("ul", "", ...children));
  details.open = unfolded.get(node.key) ?? (node.kind === "group" || node.kind === "project");
  item.append(details);
  return item;
}

function drawLink(link) {
  if (!link.key) return make("span", "quiet", link.label);
  const anchor = make("a", "", link.label);
  anchor.href = "#" + link.key;
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    reveal(link.key);
  });
  return anchor;
}

// reveal unfolds an object and what it is in, and goes there.
function reveal(key) {
  const item = find(key);
  if (!item) return;
  for (let at = item; at; at = at.parentElement.closest("#tree li")) {
    const details = at.querySelector(":scope > details");
    if (details) details.open = true;
  }
  document.querySelectorAll(".found").forEach((other) => other.classList.remove("found"));
  item.querySelector(".label").classList.add("found");
  item.scrollIntoView({ block: "nearest" });
  item.focus();
}

function drawTree(objects) {
  const tree = find("tree");
  tree.querySelectorAll("details").forEach((details) => unfolded.set(details.parentElement.id, details.open));
  const focused = tree.contains(document.activeElement) && placeOf(document.activeElement);
  tree.replaceChildren(...objects.map(drawNode));
  if (focused) tree.querySelector(focused)?.focus();
}

// placeOf returns a selector of what has the focus: an item, its line, or one of its links.
function placeOf(element) {
  const item = "#" + element.closest("li").id;
  if (element.tagName === "SUMMARY") return item + " > details > summary";
  if (element.tagName === "A") return `${item} > details > .links a[href="${element.getAttribute("href")}"]`;
  return item;
}

// What has not changed is not drawn again, so that the focus stays where it is.

let drawnTree = "";

function showState(state) {
  const tree = JSON.stringify(state.objects);
  if (tree !== drawnTree) {
    drawnTree = tree;
    drawTree(state.objects);
  }
  showFaults(state.faults);
  find("running").textContent =
    state.running === 1 ? "1 running job" : state.running ? `${state.running} running jobs` : "no running jobs";
  document.querySelectorAll("[data-post=jobs]").forEach((button) => (button.disabled = !state.running));
}

const faults = new Map(); // their rows, by ID; they stay, so that a button does not move

function showFaults(now) {
  const ids = new Set(now.map((fault) => fault.id));
  faults.forEach((row, id) => {
    if (ids.has(id)) return;
    if (row.item.contains(document.activeElement)) find("fault-form").elements.route.focus();
    row.item.remove();
    faults.delete(id);
  });
  for (const fault of now) {
    if (!faults.has(fault.id)) faults.set(fault.id, addFault(fault));
    const row = faults.get(fault.id);
    const hits = fault.hits === 1 ? "1 hit" : `${fault.hits} hits`;
    row.hits.textContent = fault.usedUp ? hits + ", used up" : hits;
    row.item.className = fault.usedUp ? "used" : "";
  }
}

function addFault(fault) {
  const remove = make("button", "", "Take back");
  remove.type = "button";
  remove.setAttribute("aria-label", "Take back " + fault.text);
  remove.addEventListener("click", () => post("faults/remove", { id: fault.id }));
  const hits = make("div", "quiet");
  const item = make("li", "", make("div", "", make("span", "mono", fault.text), hits), remove);
  find("fault-list").append(item);
  return { item, hits };
}

find("fault-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = await post("faults", new FormData(event.target));
  find("fault-problem").textContent = problem;
  find("fault-problem").hidden = !problem;
});

document.querySelectorAll("button[data-post]").forEach((button) => {
  button.addEventListener("click", () => {
    const { post: path, ...fields } = button.dataset;
    post(path, fields);
  });
});

// The stream.

function connection(text, className) {
  find("connection").textContent = text;
  find("connection").className = "state " + className;
}

let run = "";
const stream = new EventSource("events");
stream.addEventListener("open", () => connection("live", "live"));
stream.addEventListener("error", () => connection("not connected", "lost"));
const on = (name, handle) => stream.addEventListener(name, (event) => handle(JSON.parse(event.data)));

on("hello", (hello) => {
  if (run && run !== hello.run) {
    requests.reset();
    deliveries.reset();
  }
  run = hello.run;
});
on("request", (record) => requests.put(record));
on("delivery", (record) => deliveries.put(record));
on("clock", (now) => (find("clock").textContent = now));
on("state", showState);
on("missed", (n) => say(`This page was too slow for ${n} requests; the transcript has them.`, true));
