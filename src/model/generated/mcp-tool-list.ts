// Written by `npm run generate` from description/. Do not edit.

/** The tools, as a client finds them in a list. */
export const TOOL_LIST = {
  search_container: {
    title: 'Search containers and shipments',
    description:
      'Finds containers and shipments of the account by container number, bill of lading, booking or reference.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      query: {
        type: 'string',
        description: 'A container number, bill of lading, booking number or reference.',
        minLength: 1,
      },
    },
    required: ['query'],
  },
  track_container: {
    title: 'Start tracking',
    description:
      'Starts tracking a container, a bill of lading or a booking, or gives the container that is tracked already.',
    readOnly: false,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      number: { type: 'string', description: 'The number to track.' },
      numberType: {
        type: 'string',
        description:
          'Kind of number. Known: container, bill_of_lading, booking_number. By default: the service infers it.',
      },
      scac: { type: 'string', description: 'SCAC of the carrier. By default: the service infers it.' },
      refNumbers: { type: 'array', items: { type: 'string' }, description: 'Your references, kept with the shipment.' },
    },
    required: ['number'],
  },
  get_container: {
    title: 'Get a container',
    description: 'Gives the state of a container: place, availability, last free day, fees, holds, rail and shipment.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      id: { type: 'string', description: 'Id of the container.', format: 'uuid' },
      include: {
        type: 'array',
        items: { type: 'string', enum: ['shipment', 'pod_terminal', 'transport_events'] },
        description:
          "More records to load. The response always contains the shipment and the terminal. By default: ['shipment'].",
      },
    },
    required: ['id'],
  },
  get_shipment_details: {
    title: 'Get a shipment',
    description: 'Gives a shipment: carrier, references, ports with their dates, vessel, containers and tracking.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      id: { type: 'string', description: 'Id of the shipment.', format: 'uuid' },
      include_containers: { type: 'boolean', description: '`true` to list the containers. By default: true.' },
    },
    required: ['id'],
  },
  get_container_transport_events: {
    title: 'Get the timeline of a container',
    description: 'Gives the past and the expected events of a container, the oldest first.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      id: { type: 'string', description: 'Id of the container.', format: 'uuid' },
    },
    required: ['id'],
  },
  get_supported_shipping_lines: {
    title: 'List carriers',
    description: 'Gives the carriers that can be tracked, with their SCACs.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      search: { type: 'string', description: 'Part of a SCAC or of a name, in any case. By default: all carriers.' },
    },
    required: [],
  },
  get_container_route: {
    title: 'Get the route of a container',
    description: 'Gives the places and vessels of a journey. A paid feature.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      id: { type: 'string', description: 'Id of the container.', format: 'uuid' },
    },
    required: ['id'],
  },
  list_shipments: {
    title: 'List shipments',
    description: 'Gives one page of the shipments of the account.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      page: { type: 'integer', description: 'The page, from 1. By default: 1.', minimum: 1 },
      page_size: {
        type: 'integer',
        description: 'Number of rows on a page. The service uses 100 if the number is higher. By default: 25.',
        minimum: 1,
      },
      status: { type: 'string', description: 'A status. The service may not apply it: see `unsupportedFilters`.' },
      port: { type: 'string', description: 'A port. The service may not apply it: see `unsupportedFilters`.' },
      carrier: { type: 'string', description: 'A carrier. The service may not apply it: see `unsupportedFilters`.' },
      updated_after: {
        type: 'string',
        description: 'An ISO 8601 date or date-time. The service may not apply it: see `unsupportedFilters`.',
      },
      include_containers: {
        type: 'boolean',
        description: '`true` if each row shall list its containers. By default: false.',
      },
      number: { type: 'string', description: 'The number of a shipment.' },
      tracking_stopped: {
        type: 'boolean',
        description: '`true` for shipments whose tracking has stopped, `false` for the others.',
      },
    },
    required: [],
  },
  list_containers: {
    title: 'List containers',
    description: 'Gives one page of the containers of the account.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      page: { type: 'integer', description: 'The page, from 1. By default: 1.', minimum: 1 },
      page_size: {
        type: 'integer',
        description: 'Number of rows on a page. The service uses 100 if the number is higher. By default: 25.',
        minimum: 1,
      },
      status: { type: 'string', description: 'A status. The service may not apply it: see `unsupportedFilters`.' },
      port: { type: 'string', description: 'A port. The service may not apply it: see `unsupportedFilters`.' },
      carrier: { type: 'string', description: 'A carrier. The service may not apply it: see `unsupportedFilters`.' },
      updated_after: {
        type: 'string',
        description: 'An ISO 8601 date or date-time. The service may not apply it: see `unsupportedFilters`.',
      },
      include: {
        type: 'string',
        description:
          "Relationships to load with each row, separated by commas. By default: 'shipment,pod_terminal,pickup_facility'.",
      },
    },
    required: [],
  },
  list_tracking_requests: {
    title: 'List tracking requests',
    description: 'Gives one page of the tracking requests of the account, including those that have failed.',
    readOnly: true,
    inputs: {
      intent: {
        type: 'string',
        description: 'Reason for the call, at most 200 characters. The service keeps it and does not pass it on.',
        maxLength: 200,
      },
      page: { type: 'integer', description: 'The page, from 1. By default: 1.', minimum: 1 },
      page_size: {
        type: 'integer',
        description: 'Number of rows on a page. The service uses 100 if the number is higher. By default: 25.',
        minimum: 1,
      },
      filters: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: "Query parameters that are sent to the service unchanged, such as `{ 'filter[scac]': 'MAEU' }`.",
      },
      status: { type: 'string', description: 'A status, such as `failed`.' },
      request_type: { type: 'string', description: 'A kind of number. The service cannot apply it, and says so.' },
    },
    required: [],
  },
} as const;
