import { test } from 'vitest';
import type { RequestOptions } from '../../src/options.ts';
import { Resource } from '../../src/resources/resource.ts';
import { path } from '../../src/transport/endpoint.ts';

/** The compiler compares each method with its operation in the description of the service. */
class Wrong extends Resource {
  misspelt = () =>
    // @ts-expect-error: no such operation
    this.fetchOne({ operation: 'parties.fetch', type: 'party', path: path`/parties/1`, options: {} });

  anotherShape = () =>
    // @ts-expect-error: the operation responds with one record
    this.fetchList({ operation: 'parties.get', type: 'party', path: path`/parties`, options: {} });

  anotherType = () =>
    // @ts-expect-error: the operation responds with a party
    this.fetchOne({ operation: 'parties.get', type: 'port', path: path`/parties/1`, options: {} });

  anotherMethod = () =>
    // @ts-expect-error: the operation is a POST
    this.fetchOne({ operation: 'parties.create', type: 'party', path: path`/parties`, options: {} });

  anotherParameter = (options: RequestOptions & { filter?: { name?: string } }) =>
    this.fetchOne({
      operation: 'parties.get',
      type: 'party',
      // @ts-expect-error: the operation has no filter
      parameters: { filter: { name: true } },
      path: path`/parties/1`,
      options,
    });

  right = () => this.fetchOne({ operation: 'parties.get', type: 'party', path: path`/parties/1`, options: {} });
}

test('a method compiles only if it matches its described operation', () => {
  void Wrong;
});
