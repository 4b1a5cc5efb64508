import { optionNames } from '../../internal/arguments.ts';
import type {
  ContainerIdArguments,
  GetContainerArguments,
  GetShipmentDetailsArguments,
  GetSupportedShippingLinesArguments,
  ListContainersArguments,
  ListShipmentsArguments,
  ListTrackingRequestsArguments,
  SearchContainerArguments,
  TrackContainerArguments,
} from './arguments.ts';
import type { ContainerDetails, SearchContainerResult } from './container-results.ts';
import type { ContainerRouteResult, ContainerTimeline } from './journey-results.ts';
import type { ContainerRow, ListResult, ShipmentRow, TrackingRequestRow } from './list-results.ts';
import type { ShipmentDetails, ShippingLines } from './shipment-results.ts';
import type { TrackContainerResult } from './tracking-results.ts';

/** The tools of the service: what each takes, and what it gives. */
export interface Tools {
  /** See `searchContainer`. */
  search_container: [SearchContainerArguments, SearchContainerResult];
  /** See `trackContainer`. */
  track_container: [TrackContainerArguments, TrackContainerResult];
  /** See `getContainer`. */
  get_container: [GetContainerArguments, ContainerDetails];
  /** See `getShipmentDetails`. */
  get_shipment_details: [GetShipmentDetailsArguments, ShipmentDetails];
  /** See `getContainerTransportEvents`. */
  get_container_transport_events: [ContainerIdArguments, ContainerTimeline];
  /** See `getSupportedShippingLines`. */
  get_supported_shipping_lines: [GetSupportedShippingLinesArguments, ShippingLines];
  /** See `getContainerRoute`. */
  get_container_route: [ContainerIdArguments, ContainerRouteResult];
  /** See `listShipments`. */
  list_shipments: [ListShipmentsArguments, ListResult<ShipmentRow>];
  /** See `listContainers`. */
  list_containers: [ListContainersArguments, ListResult<ContainerRow>];
  /** See `listTrackingRequests`. */
  list_tracking_requests: [ListTrackingRequestsArguments, ListResult<TrackingRequestRow>];
}

/** The name of a tool of the service. */
export type ToolName = keyof Tools;

/** What a tool takes. */
export type ToolArguments<Name extends ToolName> = Tools[Name][0];

/** What a tool gives. */
export type ToolResultOf<Name extends ToolName> = Tools[Name][1];

/** What is known of a tool before it is called. */
interface Declaration<Name extends ToolName> {
  /** The arguments that it has: the service would drop others without a word. */
  readonly names: readonly (keyof ToolArguments<Name> & string)[];
  /** The text without which there is nothing to do. */
  readonly required?: keyof ToolArguments<Name> & string;
  /** Whether a second call does no more than the first. */
  readonly repeatable: boolean;
}

const intent = { intent: true } as const;
const page = { ...intent, page: true, page_size: true } as const;
const filters = { ...page, status: true, port: true, carrier: true, updated_after: true } as const;
const id = { ...intent, id: true } as const;

function reads<T>(names: Record<keyof T, true>, required?: keyof T & string) {
  return { names: optionNames<T>(names), repeatable: true, ...(required && { required }) };
}

/** The tools by their names. */
export const TOOLS: { readonly [Name in ToolName]: Declaration<Name> } = {
  search_container: reads<SearchContainerArguments>({ ...intent, query: true }, 'query'),
  track_container: {
    names: optionNames<TrackContainerArguments>({
      ...intent,
      number: true,
      numberType: true,
      scac: true,
      refNumbers: true,
    }),
    required: 'number',
    repeatable: false,
  },
  get_container: reads<GetContainerArguments>({ ...id, include: true }, 'id'),
  get_shipment_details: reads<GetShipmentDetailsArguments>({ ...id, include_containers: true }, 'id'),
  get_container_transport_events: reads<ContainerIdArguments>(id, 'id'),
  get_supported_shipping_lines: reads<GetSupportedShippingLinesArguments>({ ...intent, search: true }),
  get_container_route: reads<ContainerIdArguments>(id, 'id'),
  list_shipments: reads<ListShipmentsArguments>({
    ...filters,
    include_containers: true,
    number: true,
    tracking_stopped: true,
  }),
  list_containers: reads<ListContainersArguments>({ ...filters, include: true }),
  list_tracking_requests: reads<ListTrackingRequestsArguments>({
    ...page,
    filters: true,
    status: true,
    request_type: true,
  }),
};

export function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

/** The arguments of the prompts of the service. */
export interface Prompts {
  /** Asks for the state of a container. */
  'track-shipment': {
    /** Number of the container, where it is known. */
    container_number: string;
    /** SCAC of the carrier. */
    carrier?: string | undefined;
  };
  /** Asks for last free day, holds and fees. */
  'check-demurrage': {
    /** Id of the container. */
    container_id: string;
  };
  /** Asks for what has delayed a container. */
  'analyze-delays': {
    /** Id of the container. */
    container_id: string;
  };
}

/** The name of a prompt of the service. */
export type PromptName = keyof Prompts;
