import type { Hooks } from '../hooks.ts';

type Hook = (event: never) => unknown;

/** The user's hooks and ours in one. Ours are called even if one of the user's throws. */
export function bothHooks(ours: Hooks, own: Hooks): Hooks {
  const names = new Set([...Object.keys(ours), ...Object.keys(own)]) as Set<keyof Hooks>;
  return Object.fromEntries(
    Array.from(names, name => {
      const [our, users] = [ours[name], own[name]] as [Hook | undefined, unknown];
      // The client refuses what is not a function.
      if (typeof users !== 'function') return [name, users ?? our];
      return [name, our ? inTurn(our, users.bind(own)) : users.bind(own)];
    }),
  );
}

function inTurn(our: Hook, users: Hook): Hook {
  return event => {
    try {
      // A promise is handed on, so that the client sees it fail.
      return users(event);
    } finally {
      our(event);
    }
  };
}
