/** What the tools take, in the names of the protocol. */

/** Every tool takes it. */
export interface Intent {
  /** Why the tool is called, at most 200 characters. The service keeps it and does not pass it on. */
  intent?: string | undefined;
}

/** Which page of a list. */
export interface PageArguments extends Intent {
  /** The page, from 1. @default 1 */
  page?: number | undefined;
  /** Rows of a page. The service takes 100 for a higher number. @default 25 */
  page_size?: number | undefined;
}

/** Arguments of `search_container`. */
export interface SearchContainerArguments extends Intent {
  /** A container number, bill of lading, booking number or reference. */
  query: string;
}

/** Arguments of `track_container`. */
export interface TrackContainerArguments extends Intent {
  /** The number to track. */
  number: string;
  /** What kind of number it is. @default the service infers it */
  numberType?: 'container' | 'bill_of_lading' | 'booking_number' | (string & {}) | undefined;
  /** SCAC of the carrier. @default the service infers it */
  scac?: string | undefined;
  /** Your references, kept with the shipment. */
  refNumbers?: readonly string[] | undefined;
}

/** Arguments of `get_container`. */
export interface GetContainerArguments extends Intent {
  /** Id of the container. */
  id: string;
  /** What else to load. The shipment and the terminal always come. @default ['shipment'] */
  include?: readonly ('shipment' | 'pod_terminal' | 'transport_events')[] | undefined;
}

/** Arguments of `get_shipment_details`. */
export interface GetShipmentDetailsArguments extends Intent {
  /** Id of the shipment. */
  id: string;
  /** Whether to list the containers. @default true */
  include_containers?: boolean | undefined;
}

/** Arguments of `get_container_transport_events` and `get_container_route`. */
export interface ContainerIdArguments extends Intent {
  /** Id of the container. */
  id: string;
}

/** Arguments of `get_supported_shipping_lines`. */
export interface GetSupportedShippingLinesArguments extends Intent {
  /** Part of a SCAC or of a name, in any case. @default all carriers */
  search?: string | undefined;
}

/** Arguments that both lists of records have. What the service cannot apply, it names in `unsupportedFilters`. */
interface RecordListArguments extends PageArguments {
  /** A status. */
  status?: string | undefined;
  /** A port. */
  port?: string | undefined;
  /** A carrier. */
  carrier?: string | undefined;
  /** An ISO 8601 date or date-time. */
  updated_after?: string | undefined;
}

/** Arguments of `list_shipments`. */
export interface ListShipmentsArguments extends RecordListArguments {
  /** Whether each row lists its containers. @default false */
  include_containers?: boolean | undefined;
  /** The number of a shipment. */
  number?: string | undefined;
  /** Only those whose tracking has stopped, or has not. */
  tracking_stopped?: boolean | undefined;
}

/** Arguments of `list_containers`. */
export interface ListContainersArguments extends RecordListArguments {
  /** What to load with each row, separated by commas. @default 'shipment,pod_terminal,pickup_facility' */
  include?: string | undefined;
}

/** Arguments of `list_tracking_requests`. */
export interface ListTrackingRequestsArguments extends PageArguments {
  /** Query parameters of the service as they are, such as `{ 'filter[scac]': 'MAEU' }`. */
  filters?: Readonly<Record<string, string>> | undefined;
  /** A status, such as `failed`. */
  status?: string | undefined;
  /** A kind of number. The service cannot apply it, and says so. */
  request_type?: string | undefined;
}
