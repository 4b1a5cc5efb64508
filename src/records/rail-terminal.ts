import type { IncludeList, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';

/** An inland rail facility. The service sends some as a {@link Terminal}. It can only be included, not read separately. */
export interface RailTerminal<I extends IncludeList = []>
  extends ResourceRecord<'rail_terminal', I>,
    RailTerminalAttributes,
    RailTerminalRelationships<I> {}

/** The fields of a rail terminal. */
export interface RailTerminalAttributes {
  /** Full name. */
  name: string;
  /** Short name that people use. */
  nickname?: string;
  /** Facility code of US customs, or an equivalent of another country. */
  firms_code?: string;
  /** Name of the city. */
  city?: string;
}

/** What a rail terminal is related to. */
export interface RailTerminalRelationships<I extends IncludeList = []> {
  /** The port that the facility belongs to; `null` where it is inland only. */
  port: ToOne<I, 'port', 'port'> | null;
  /** The inland place where the facility is. */
  metro_area: ToOne<I, 'metro_area', 'metro_area'>;
}
