// The model interface of anywidget (its AFM specification) for a page without a kernel.

export function host(state) {
  const listeners = new Map();
  const listening = name => listeners.get(name) ?? listeners.set(name, new Set()).get(name);
  return {
    get: key => state[key],
    set: (key, value) => {
      state[key] = value;
      listening(`change:${key}`).forEach(listener => listener());
    },
    on: (name, listener) => listening(name).add(listener),
    off: (name, listener) => (listener ? listening(name).delete(listener) : listening(name).clear()),
    save_changes: () => {},
    send: () => {},
    alone: true, // no Python behind this page
  };
}
