// What anywidget asks of a model (its AFM specification), for a page without a kernel.

export function host(state) {
  const listeners = new Map();
  const called = name => listeners.get(name) ?? listeners.set(name, new Set()).get(name);
  return {
    get: key => state[key],
    set: (key, value) => {
      state[key] = value;
      called(`change:${key}`).forEach(listener => listener());
    },
    on: (name, listener) => called(name).add(listener),
    off: (name, listener) => (listener ? called(name).delete(listener) : called(name).clear()),
    save_changes: () => {},
    send: () => {},
    alone: true, // nobody answers: there is no Python behind this page
  };
}
