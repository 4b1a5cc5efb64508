import { containerState } from '../../domain/container-state.ts';
import { lastFreeDay } from '../../domain/last-free-day.ts';
import type { Container, DynamicInclude } from '../../model/index.ts';
import type { Command } from '../command.ts';
import { getCommand, listCommand, type RecordGroup } from '../records.ts';

const containers: RecordGroup<Container<DynamicInclude>> = {
  operation: 'containers.list',
  list: (client, options) => client.containers.list({ ...options, sort: options.sort ?? '-created_at' }),
  get: (client, id, options) => client.containers.get(id, options),
  filterExample: 'pickup_lfd.lte=7.days.from_now',
  includeExample: 'shipment,pod_terminal',
  columns: [
    ['ID', ({ id }) => id],
    ['NUMBER', ({ number }) => number],
    ['STATUS', ({ current_status }) => current_status],
    ['ARRIVED', ({ pod_arrived_at }) => pod_arrived_at],
    ['READY', container => containerState(container).pickup],
    ['LAST FREE DAY', container => lastFreeDay(container)?.date],
    ['HOLDS', ({ holds_at_pod_terminal }) => holds_at_pod_terminal?.map(({ name }) => name)],
  ],
};

export const list: Command = listCommand(containers);
export const get: Command = getCommand(containers);
