// The animation of each step of a round; every one ends in what `after` draws.

const set = (element, style) => Object.assign(element.style, style);
const fall = t => t * t;

/** An accepted guess drops into the text; after a rejected one the rest falls away. */
function judged({ tween, ease, step, drawn }) {
  const { columns, next } = drawn.board;
  if (drawn.round.guesses[step.guess].fate === "accepted") {
    const { foot } = columns[step.guess];
    return tween(260, t => set(foot, { opacity: t, transform: `translateY(${-1.5 * (1 - ease(t))}em)` }));
  }
  const rest = columns.slice(step.guess + 1);
  return tween(450, t => {
    rest.forEach(({ slot }, i) =>
      set(
        slot,
        t < 1
          ? {
              opacity: 1 - 0.55 * t,
              transform: `translateY(${0.8 * fall(t)}em) rotate(${(i % 2 ? -1 : 1) * 7 * Math.sin(Math.PI * t)}deg)`,
            }
          : { opacity: "", transform: "" },
      ),
    );
    next.element.style.opacity = t < 1 ? 1 - 0.6 * t : "";
  });
}

export const moves = {
  async draft({ tween, ease, drawn }) {
    const slots = drawn.board.columns.map(({ slot }) => slot);
    slots.forEach(slot => set(slot, { opacity: 0 }));
    const { model } = drawn.board;
    for (const slot of slots) {
      await tween(Math.min(280, 1150 / slots.length), t => {
        set(slot, { opacity: t, transform: `translateX(${-1.6 * (1 - ease(t))}em)` });
        if (model) set(model, { transform: `scale(${1 + 0.4 * Math.sin(Math.PI * t)})` }); // one pass per guess
      });
    }
  },

  async pass({ tween, drawn }) {
    const { beams, all } = drawn.board;
    const parts = all.flatMap(({ band, face }) => [...band.children, ...face.children]);
    await tween(850, t => {
      const light = t < 0.25 ? t / 0.25 : (1 - t) / 0.75;
      beams.forEach(beam => set(beam, { opacity: light }));
      const opacity = Math.max(0, Math.min(1, (t - 0.25) / 0.25));
      parts.forEach(part => set(part, { opacity }));
    });
  },

  async bars({ tween, ease, drawn }) {
    const fills = [...drawn.board.element.querySelectorAll(".fill")];
    await tween(500, t => fills.forEach(fill => fill.style.setProperty("--grown", ease(t))));
  },

  async test({ tween, pause, ease, step, drawn, before, after }) {
    before();
    const { columns } = drawn.board;
    const { u } = drawn.round.guesses[step.guess];
    const test = columns[step.guess].face.querySelector(".test");
    const high = 1.45;
    test.classList.add("falling");
    await tween(620, t => test.style.setProperty("--u", high + (u - high) * fall(t)));
    await pause(120);
    after();
    return judged({ tween, ease, step, drawn });
  },

  async same({ tween, pause, ease, step, drawn, before, after }) {
    before();
    await pause(450);
    after();
    return judged({ tween, ease, step, drawn });
  },

  async verdict({ tween, pause, before, after, drawn }) {
    before();
    await pause(350);
    after();
    const feet = drawn.board.columns.map(({ foot }) => foot);
    await tween(300, t => feet.forEach(foot => set(foot, { opacity: t })));
  },

  async last({ tween, ease, drawn }) {
    const { drawn: panel, all, place } = drawn.board;
    const foot = all[place]?.foot;
    if (!foot) return;
    const token = foot.firstElementChild;
    set(token, { opacity: 0 });
    if (!panel.hidden) await tween(350, t => set(panel, { opacity: t }));
    await tween(420, t =>
      set(token, { opacity: Math.min(1, 2 * t), transform: `translateY(${-3.5 * (1 - ease(t))}em)` }),
    );
  },

  async end({ tween, ease, root }) {
    const chips = [...root.querySelectorAll(".text .chip")];
    await tween(500, t => {
      chips.forEach(one => set(one, { opacity: t, transform: `translateY(${1.2 * (1 - ease(t))}em)` }));
    });
  },
};
