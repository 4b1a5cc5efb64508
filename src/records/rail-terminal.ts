import type { LinkedRecord } from '../jsonapi/include.ts';
import type { Ref } from './model.ts';

/** An inland rail facility (api/resources.md, rail_terminal). See also {@link Terminal}. */
export type RailTerminal<I = []> = LinkedRecord<'rail_terminal', I>;

export interface RailTerminalAttributes {
  name: string;
  nickname?: string;
  /** Facility code of US customs, or an equivalent. */
  firms_code?: string;
  city?: string;
}

export interface RailTerminalRelationships {
  port: Ref<'port'> | null;
  metro_area: Ref<'metro_area'>;
}
