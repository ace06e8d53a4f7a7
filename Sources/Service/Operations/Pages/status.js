"use strict";
// Keeps the tables up to date. Texts only ever become text nodes.

const state = document.getElementById("status"), button = document.getElementById("pause");
let source = null, isPaused = false;

function show(tables) {
  const bodies = document.querySelectorAll("tbody");
  if (tables.length !== bodies.length) return location.reload();
  tables.forEach(({ rows }, index) => {
    const body = bodies[index];
    rows.forEach((texts, number) => {
      const row = body.rows[number] ?? body.insertRow();
      texts.forEach((text, column) => {
        const cell = row.cells[column] ?? row.insertCell();
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
    while (body.rows.length > rows.length) body.deleteRow(-1);
  });
}

function say(text) { if (state.textContent !== text) state.textContent = text; }

/** Opens or closes the stream: the places are few, so a paused or hidden page gives its own up. */
function update() {
  source?.close();
  source = null;
  button.textContent = isPaused ? "Go on" : "Pause";
  if (isPaused || document.hidden) return say("Paused");
  source = new EventSource("status/events");
  source.onmessage = event => { say("Live"); show(JSON.parse(event.data)); };
  source.onerror = () => {
    say("Not live");
    // The browser connects again by itself, unless the service has refused the stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => isPaused || location.reload(), 5000);
  };
}

button.hidden = false;
button.addEventListener("click", () => { isPaused = !isPaused; update(); });
document.addEventListener("visibilitychange", update);
update();
