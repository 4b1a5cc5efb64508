import type { ContainerFilter } from '../model/index.ts';
import type { ListOptions } from '../pagination/options.ts';
import { collect } from '../pagination/pages.ts';
import { entriesOf } from './entries.ts';
import { type CheckedOptions, checked, type WorklistOptions } from './options.ts';
import { preselections, TRACKED } from './preselection.ts';
import type { WorklistContainer, WorklistEstimate, WorklistRow } from './rows.ts';

/** The method that a worklist needs: `client.containers.list`. */
export interface WorklistGroup {
  list(
    options: ListOptions & { filter: ContainerFilter; include: ['shipment', 'pod_terminal', 'pickup_facility'] },
  ): WorklistList;
}

/** The parts of a `List` that a worklist needs: the size of its first page, and all its containers. */
export interface WorklistList
  extends AsyncIterable<WorklistContainer>,
    PromiseLike<{ data: { length: number }; meta: { total?: number | undefined }; hasNextPage(): boolean }> {}

/** Lists to read, and the cost of all of them. */
interface Plan extends Size {
  now: Date;
  lists: WorklistList[];
}

/** `NaN` if the service does not count its records. */
interface Size {
  requests: number;
  containers: number;
}

/** The largest number of containers that the service sends on a page. */
const PAGE_SIZE = 50;

/** A worklist while it is read. */
export class Reading {
  readonly #group: WorklistGroup;
  readonly #wanted: CheckedOptions;
  /** The lists that an estimate has begun to read. */
  #begun: Plan | undefined;

  /** @throws {ConfigurationError} for options that cannot work. */
  constructor(group: WorklistGroup, options: WorklistOptions) {
    this.#group = group;
    this.#wanted = checked(options);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WorklistRow, void, undefined> {
    const plan = this.#begun ?? (await this.#plan());
    this.#begun = undefined;
    const seen = new Set<string>();
    for (const list of plan.lists) {
      for await (const container of list) {
        if (seen.has(container.id)) continue;
        seen.add(container.id);
        yield* entriesOf(container, this.#wanted, plan.now);
      }
    }
  }

  toArray(limit: { limit?: number | undefined } | undefined): Promise<WorklistRow[]> {
    return collect(this, limit ?? {});
  }

  async estimate(): Promise<WorklistEstimate> {
    this.#begun = await this.#plan();
    const { requests, containers } = this.#begun;
    return Number.isNaN(requests) ? { requests: null, containers: null } : { requests, containers };
  }

  /**
   * Chooses the plan with fewer requests: to read every container once, or only the containers that the filters select.
   * To compare the plans, it reads the first page of each list.
   */
  async #plan(): Promise<Plan> {
    const now = this.#wanted.now ?? new Date();
    const filters = preselections(this.#wanted, now);
    // A single filter never selects more than all containers.
    const [only, ...others] = filters;
    const whole = this.#list(only && others.length === 0 ? only : TRACKED);
    const all = await sizeOf(whole);
    const everything = { now, lists: [whole], ...all };
    // The first page of each filtered list is an extra request. The filters are tried only if these requests are fewer
    // than half of the requests for all containers.
    if (filters.length < 2 || !(all.requests > 2 * filters.length)) return everything;

    const selected: Plan = { now, lists: [], requests: 1, containers: 0 };
    for (const filter of filters) {
      const list = this.#list(filter);
      const { requests, containers } = await sizeOf(list);
      selected.lists.push(list);
      selected.requests += requests;
      selected.containers += containers;
      const begun = selected.lists.length;
      if (!(selected.requests - begun < all.requests)) return { ...everything, requests: all.requests + begun };
    }
    return selected;
  }

  #list(filter: ContainerFilter): WorklistList {
    const { signal, priority } = this.#wanted;
    const include: ['shipment', 'pod_terminal', 'pickup_facility'] = ['shipment', 'pod_terminal', 'pickup_facility'];
    return this.#group.list({ filter, include, pageSize: PAGE_SIZE, signal, priority });
  }
}

async function sizeOf(list: WorklistList): Promise<Size> {
  const page = await list;
  const { length } = page.data;
  if (!page.hasNextPage()) return { requests: 1, containers: length };
  const containers = page.meta.total ?? Number.NaN;
  return { requests: Math.ceil(containers / length), containers };
}
