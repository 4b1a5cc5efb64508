import { ConfigurationError } from '../../errors.ts';
import { describeValue, wholeNumber } from '../../internal/arguments.ts';
import type { Backend } from '../state/backend.ts';
import { lastRefreshedFirst, refresh } from '../state/refresh.ts';
import type { Container } from '../state/store.ts';

/** Refreshes the status of these containers, or of so many whose status was refreshed the longest ago. */
export function refreshContainers(backend: Backend, which: number | readonly string[]): void {
  for (const container of chosen(backend, which)) refresh(backend, container);
}

function chosen(backend: Backend, which: number | readonly string[]): Container[] {
  const { containers } = backend.store;
  if (typeof which === 'number') {
    const count = wholeNumber('The number to refresh', which, 0);
    return count === 0 ? [] : lastRefreshedFirst(backend, containers.newestFirst()).slice(-count).reverse();
  }
  if (!Array.isArray(which)) {
    throw new ConfigurationError(`refreshContainers() was given ${describeValue(which)}; give ids, or a number.`);
  }
  return which.map(id => {
    const container = containers.get(id);
    if (container === undefined) throw new ConfigurationError(`There is no container ${describeValue(id)}.`);
    return container;
  });
}
