import { expect, test } from 'vitest';
import { typesOf } from '../../src/filters/query.ts';
import { LINKED_TYPES } from '../../src/model/generated/linked-types.ts';

const LINKS = Object.values(LINKED_TYPES).flatMap(links => Object.entries<readonly string[]>(links));

test.each(LINKS)('the path through %s is not refused for any of its types: %j', (name, types) => {
  expect(typesOf(name)).toEqual(expect.arrayContaining([...types]));
});

test.each([
  ['containers', ['container']],
  ['line_tracking_stopped_by_user', ['user']],
  ['pod_terminal', ['terminal', 'rail_terminal']],
  ['party_roles', ['party_role']],
])('a path through %s continues only with the relationships of %j', (name, types) => {
  expect(typesOf(name)).toEqual(types);
});
