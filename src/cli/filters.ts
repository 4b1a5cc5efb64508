import type { FilterKind, FilterRules, SortRules } from '../model/filter-rules.ts';
import { LISTS } from '../model/generated/filter-rules.ts';
import { type OptionValues, textOption, wrongUsage } from './command.ts';

/** Kinds of filters that take several values, separated by commas. */
const LISTING: readonly FilterKind[] = ['text', 'code', 'tags', 'day', 'party', 'roles', 'custom_fields'];
const SWITCHES: readonly FilterKind[] = ['flag', 'only_true', 'custom_fields'];

type Filter = { [name: string]: Filter | string | readonly string[] | boolean };

/**
 * The filters of the command line: `has_holds=true`, `current_status=new,available`, `pickup_lfd.gte=today`. A dot
 * leads to a part of a filter. The client rejects filters and values that a list does not have.
 */
export function filtersOf(values: OptionValues, operation: string): never {
  const filter = emptyFilter();
  for (const text of (values.filter as string[] | undefined) ?? []) {
    const [, path, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (path === undefined || value === undefined) throw wrongUsage(`--filter must be like name=value, not ${text}.`);
    const steps = path.split('.');
    const last = steps.pop() as string;
    let part = filter;
    for (const step of steps) {
      const inner = part[step];
      part[step] = typeof inner === 'object' && !Array.isArray(inner) ? inner : emptyFilter();
      part = part[step] as Filter;
    }
    part[last] = leafOf(value, kindOf(operation, steps[0] ?? last), last);
  }
  return filter as never;
}

/** An object without a prototype, so that every name can be a key. */
function emptyFilter(): Filter {
  return Object.create(null);
}

function kindOf(operation: string, key: string): FilterKind | undefined {
  const rule = LISTS[operation]?.filter?.keys[key];
  return typeof rule === 'string' ? rule : rule?.[0];
}

function leafOf(text: string, kind: FilterKind | undefined, name: string): string | string[] | boolean {
  const isSwitch = name === 'exists' || (kind !== undefined && SWITCHES.includes(kind));
  if (isSwitch && (text === 'true' || text === 'false')) return text === 'true';
  return kind && LISTING.includes(kind) && text.includes(',') ? text.split(',') : text;
}

/** The value of `--sort`: one order, or a list of orders. */
export function sortOf(values: OptionValues): never {
  const tokens = textOption(values, 'sort')?.split(',');
  return (tokens?.length === 1 ? tokens[0] : tokens) as never;
}

/** The filters for shell completion: `name=value` if the values are known, else `name=`. */
export function filterNames({ keys }: FilterRules): string[] {
  return Object.entries(keys).flatMap(([key, rule]) => {
    const [kind, ...known] = typeof rule === 'string' ? [rule] : rule;
    const values =
      SWITCHES.includes(kind) && kind !== 'custom_fields' ? ['true', 'false'] : kind === 'roles' ? [] : known;
    return values.length > 0 ? values.map(value => `${key}=${value}`) : [`${key}=`];
  });
}

/** The orders in which a list can be sorted. */
export function sortNames({ tokens, alone }: SortRules): string[] {
  return [...tokens, ...alone];
}
