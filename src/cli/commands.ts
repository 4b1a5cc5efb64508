import type { Command } from './command.ts';

interface Entry {
  /** The purpose of the command, in one sentence. */
  readonly summary: string;
  readonly example: string;
  /** More examples. */
  readonly others?: readonly string[];
  load(): Promise<{ command: Command }>;
}

/** The first words of the commands, grouped by purpose, in the order of the help. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Read: ['worklist', 'changes', 'search', 'shipments', 'containers', 'documents', 'custom-fields'],
  Track: ['track', 'tracking-requests'],
  'Look up': ['carriers', 'ports', 'terminals', 'vessels', 'parties'],
  'Keep up': ['sync', 'webhooks', 'notifications', 'inbox'],
  'Set up': ['login', 'logout', 'whoami', 'limits', 'sandbox', 'mcp', 'completion'],
};

/** All commands. The code of a command is loaded only when the command is called. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  worklist: {
    summary: 'Lists the containers that somebody has to do something about, with the reason and the next step.',
    example: 'container-tracking worklist ready last-free-day --within 3',
    others: [
      'container-tracking worklist held --columns number,holds,terminal,next',
      'container-tracking worklist --csv > today.csv',
    ],
    load: () => import('./commands/worklist.ts'),
  },
  changes: {
    summary: 'Prints what has changed in the account since an earlier run, or since a time.',
    example: 'container-tracking changes --since yesterday',
    others: ['container-tracking changes --done'],
    load: () => import('./commands/changes.ts'),
  },
  track: {
    summary: 'Tracks a number, or the numbers of a file, and prints the journey of the containers.',
    example: 'container-tracking track MEDU1234567890 --wait 5m',
    others: [
      'container-tracking track MEDU1234567890 --fields shipment.id',
      'container-tracking track --from numbers.csv --to outcomes.csv',
    ],
    load: () => import('./commands/track.ts'),
  },
  search: {
    summary: 'Finds shipments, containers and tracking requests.',
    example: 'container-tracking search MSCU1234566',
    load: () => import('./commands/search.ts'),
  },
  ...groupOf('shipments', () => import('./commands/shipments.ts'), {
    list: [
      'Lists shipments.',
      '--filter pod_code=USLAX --sort pod_arrival',
      '--columns bill-of-lading,terminal,containers,holds',
      '--all --fields bill_of_lading_number,pod_eta_at | jq .pod_eta_at',
    ],
    get: ['Prints one shipment.', 'MEDU1234567890', 'MSCU1234566', 'PO-4711'],
    update: ['Replaces the reference numbers or the tags of a shipment.', 'MEDU1234567890 --ref PO-4711'],
    stop: ['Stops the tracking of a shipment.', 'MEDU1234567890'],
    resume: ['Tracks a stopped shipment again.', 'MEDU1234567890'],
  }),
  ...groupOf(
    'containers',
    async () => ({ ...(await import('./commands/containers.ts')), ...(await import('./commands/container-map.ts')) }),
    {
      list: [
        'Lists containers.',
        '--filter has_holds=true --columns number,holds,terminal',
        '--filter pickup_lfd.lte=7.days.from_now --csv > due.csv',
        '--all --fields number,shipment.bill_of_lading_number --include shipment',
      ],
      get: [
        'Prints one container, with its last events.',
        'MSCU1234566',
        'MSCU1234566 --include transport_events --json',
      ],
      refresh: ['Asks for news of a container.', 'MSCU1234566'],
      route: ['Prints the ports of the route of a container.', 'MSCU1234566'],
      map: ['Prints the journey of a container for a map.', 'MSCU1234566', 'MSCU1234566 --to journey.geojson'],
    },
  ),
  ...groupOf('tracking-requests', () => import('./commands/tracking-requests.ts'), {
    list: ['Lists tracking requests.', '--filter status=failed'],
    get: ['Prints one tracking request.', 'MEDU1234567890'],
    create: ['Starts the tracking of a number.', 'MEDU1234567890 --scac MSCU --ref PO-4711'],
    update: ['Adds a reference number to a tracking request.', 'MEDU1234567890 --ref PO-4711'],
    infer: ['Finds out the carrier and the kind of a number.', 'MEDU1234567890'],
  }),
  ...groupOf('documents', () => import('./commands/documents.ts'), {
    list: [
      'Lists documents.',
      '--filter reference=MEDU1234567890',
      '--filter document_types=commercial_invoice --columns name,type,created',
    ],
    get: ['Prints one document.', '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11'],
    upload: ['Uploads a document.', 'invoice.pdf'],
    download: ['Downloads the file of a document.', '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11 --to invoice.pdf'],
  }),
  ...groupOf('custom-fields', () => import('./commands/custom-fields.ts'), {
    list: ['Lists the custom fields of the account.', ''],
    get: ['Prints the custom fields of one record.', 'containers MSCU1234566'],
    set: ['Sets custom fields of one record.', 'shipments MEDU1234567890 priority=5'],
  }),
  carriers: {
    summary: 'Lists carriers.',
    example: 'container-tracking carriers hapag',
    load: async () => ({ command: (await import('./commands/look-ups.ts')).carriers }),
  },
  ports: {
    summary: 'Prints a port.',
    example: 'container-tracking ports USLAX',
    load: async () => ({ command: (await import('./commands/look-ups.ts')).ports }),
  },
  terminals: {
    summary: 'Prints a terminal.',
    example: 'container-tracking terminals 3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11',
    load: async () => ({ command: (await import('./commands/look-ups.ts')).terminals }),
  },
  vessels: {
    summary: 'Prints a vessel, with its last position.',
    example: 'container-tracking vessels 9321483',
    load: async () => ({ command: (await import('./commands/look-ups.ts')).vessels }),
  },
  parties: {
    summary: 'Lists the companies of the account.',
    example: 'container-tracking parties acme',
    load: async () => ({ command: (await import('./commands/look-ups.ts')).parties }),
  },
  sync: {
    summary: 'Keeps a database in step with the service.',
    example: 'container-tracking sync --sqlite tracking.db',
    others: ['container-tracking sync --sqlite tracking.db --once --history'],
    load: () => import('./commands/sync.ts'),
  },
  'webhooks listen': {
    summary: 'Registers a webhook, and verifies, prints and forwards what it gets.',
    example: 'container-tracking webhooks listen --forward-to http://localhost:3000/hooks',
    load: () => import('./commands/webhooks-listen.ts'),
  },
  ...groupOf('webhooks', () => import('./commands/webhooks.ts'), {
    list: ['Lists webhooks.', ''],
    get: ['Prints one webhook.', '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11 --show-secret'],
    create: ['Registers a webhook, unless there is one.', '--url https://app.example/hooks --show-secret'],
    update: ['Changes a webhook.', '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11 --active on'],
  }),
  'webhooks delete': {
    summary: 'Deletes a webhook.',
    example: 'container-tracking webhooks delete 3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11',
    load: async () => ({ command: (await import('./commands/webhooks.ts')).remove }),
  },
  'webhooks trigger': {
    summary: 'Makes the service send a sample of an event.',
    example: 'container-tracking webhooks trigger container.updated --url https://app.example/hooks',
    load: () => import('./commands/webhooks-trigger.ts'),
  },
  'webhooks verify': {
    summary: 'Verifies the signature of a delivery.',
    example: 'container-tracking webhooks verify body.json --signature 5d41402a…',
    load: () => import('./commands/webhooks-verify.ts'),
  },
  'webhooks recover': {
    summary: 'Reads from the service what was missed during an outage of the webhook.',
    example: 'container-tracking webhooks recover --since 2026-03-09T03:00:00Z --sqlite inbox.db',
    load: () => import('./commands/webhooks-recover.ts'),
  },
  ...groupOf('notifications', () => import('./commands/notifications.ts'), {
    list: [
      'Lists the notifications of webhooks, with the state of their deliveries.',
      '--limit 20',
      '--delivery failed --columns url,event,created',
    ],
    get: ['Prints one notification.', '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11 --include reference_object'],
  }),
  ...groupOf('inbox', () => import('./commands/inbox.ts'), {
    dead: ['Lists the notifications that an inbox has given up.', '--sqlite inbox.db'],
    retry: ['Makes the inbox handle dead letters again.', '--all --sqlite inbox.db'],
  }),
  login: {
    summary: 'Stores the API key and the address of the service.',
    example: 'container-tracking login --base-url https://host.example/v2',
    load: async () => ({ command: (await import('./commands/login.ts')).login }),
  },
  logout: {
    summary: 'Deletes the stored API key.',
    example: 'container-tracking logout',
    load: async () => ({ command: (await import('./commands/login.ts')).logout }),
  },
  whoami: {
    summary: 'Prints the account of the key, and the features that the key can use.',
    example: 'container-tracking whoami',
    load: () => import('./commands/whoami.ts'),
  },
  limits: {
    summary: 'Prints the rate limits, and whether they are reached now.',
    example: 'container-tracking limits',
    load: () => import('./commands/limits.ts'),
  },
  sandbox: {
    summary: 'Serves an emulation of the tracking service on this machine.',
    example: 'container-tracking sandbox --shipments 50',
    load: () => import('./commands/sandbox.ts'),
  },
  mcp: {
    summary: 'Serves the tracking tools to an AI client, over the Model Context Protocol.',
    example: 'container-tracking mcp --read-only',
    load: () => import('./commands/mcp.ts'),
  },
  completion: {
    summary: 'Prints a script that completes commands, options and values in a shell.',
    example: 'eval "$(container-tracking completion bash)"',
    load: async () => ({ command: (await import('./commands/completion.ts')).completion(COMMANDS) }),
  },
};

/** The commands of one file, by the names of their exports. An example is the text after the name of the command. */
function groupOf<Name extends string>(
  group: string,
  load: () => Promise<Readonly<Record<NoInfer<Name>, Command>>>,
  commands: Readonly<Record<Name, readonly [summary: string, ...examples: string[]]>>,
): Readonly<Record<string, Entry>> {
  const entries = Object.entries(commands) as [Name, readonly [string, ...string[]]][];
  return Object.fromEntries(
    entries.map(([name, [summary, ...examples]]) => {
      const [example = '', ...others] = examples.map(each => `container-tracking ${group} ${name} ${each}`.trim());
      return [`${group} ${name}`, { summary, example, others, load: async () => ({ command: (await load())[name] }) }];
    }),
  );
}
