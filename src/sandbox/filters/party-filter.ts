import { ROLES } from '../service/party-roles.ts';
import type { Backend } from '../state/backend.ts';
import type { ContainerFacts } from './facts.ts';
import { partiesByOwner, partiesOf } from './facts.ts';
import { codesOf, type Given, malformed, type Test } from './filter-values.ts';

const PRESENT = '@exists';
const ABSENT = '@not_exists';

/** Parties by their role on the container or its shipment. Unknown roles are ignored. */
export function parties(given: Given, { backend }: { backend: Backend }): Test<ContainerFacts> | null {
  if (given.scalar !== undefined || given.array.length > 0) malformed(given, 'takes an object, by role');
  const tests = [...given.members].filter(([role]) => ROLES.includes(role)).map(entry => roleTest(backend, ...entry));
  return tests.length === 0 ? null : facts => tests.every(test => test(facts));
}

function roleTest(backend: Backend, role: string, given: Given): Test<ContainerFacts> {
  const ids = codesOf(given);
  const roles = partiesByOwner(backend, other => other.role === role);
  return ({ container, shipment }) => {
    const own = roles.get(container.id) ?? [];
    // The carrier that picks a container up is that of the container alone.
    const found = role === 'pickup_dray_carrier' ? own : [...own, ...partiesOf(shipment, roles, role === 'customer')];
    if (ids.has(found.length > 0 ? PRESENT : ABSENT)) return true;
    return found.some(id => ids.has(id));
  };
}
