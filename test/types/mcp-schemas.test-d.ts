import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { ToolName, ToolResultOf } from '../../src/mcp/index.ts';
import type { toolResults } from '../../src/model/generated/mcp-tool-schemas.ts';

type Checked<Name extends ToolName> = z.infer<(typeof toolResults)[Name]>;

/** A value that has passed the schema must be assignable to the type. */
type Fits<Name extends ToolName> = Checked<Name> extends Loose<ToolResultOf<Name>> ? true : Name;
/** Open enums and additional keys do not count as differences. */
type Loose<T> = T extends (infer Item)[]
  ? Loose<Item>[]
  : T extends string
    ? string
    : T extends object
      ? { [Key in keyof T as Key extends '_metadata' | '_response_contract' ? never : Key]: Loose<T[Key]> | undefined }
      : T;

test('the schemas of results agree with their types', () => {
  expectTypeOf<Fits<'search_container'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'get_container'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'get_shipment_details'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'get_container_transport_events'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'get_supported_shipping_lines'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'track_container'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'get_container_route'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'list_shipments'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'list_containers'>>().toEqualTypeOf<true>();
  expectTypeOf<Fits<'list_tracking_requests'>>().toEqualTypeOf<true>();
});
