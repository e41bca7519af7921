// Keeps a page up to date: when something happens in its room, what it shows is asked for again and put in its place.
"use strict";

const main = document.getElementById("main");
let asking = false;

async function renew() {
  // What somebody is typing or has opened stays.
  if (asking || main.querySelector("input:focus, details[open]")) return;
  asking = true;
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
    if (page) main.replaceChildren(...page.childNodes);
  } catch {
    // The bot is away; the stream comes back with it.
  } finally {
    asking = false;
  }
}

new EventSource(main.dataset.events).addEventListener("message", renew);
