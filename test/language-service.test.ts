import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FILE = resolve(ROOT, 'test/user.ts');

const PREAMBLE = `
import { TrackingClient } from 'container-tracking-sdk';
import { createRouter } from 'container-tracking-sdk/webhooks';
declare const client: TrackingClient;
declare const flag: boolean;
`;

/** The editor's information about a program. The `|` in the program is the position of the cursor. */
const editor = openEditor();

describe('hovering', () => {
  test.each([
    ['a record', `const |s = await client.shipments.get('x');`, 'const s: Shipment<[]>'],
    [
      'a record with its includes',
      `const |s = await client.shipments.get('x', { include: ['containers', 'pod_terminal.port'] });`,
      'const s: Shipment<["containers", "pod_terminal.port"]>',
    ],
    [
      'a record with perhaps included paths',
      `const |s = await client.shipments.get('x', { include: flag ? ['containers'] : undefined });`,
      'const s: Shipment<[] | ["containers"]>',
    ],
    ['a list', 'const |list = client.containers.list();', 'const list: List<Container<[]>>'],
    [
      'a record with the default includes of the service',
      `const |r = await client.trackingRequests.get('x');`,
      'const r: TrackingRequest<TrackingRequestDefaults>',
    ],
    [
      'raw events',
      `const |events = await client.containers.rawEvents('x');`,
      'const events: RawEvent<RawEventDefaults>[]',
    ],
    [
      'a relationship that was included',
      `(await client.shipments.get('x', { include: ['containers.pod_terminal'] })).|containers;`,
      '(property) ShipmentRelationships<["containers.pod_terminal"]>.containers: Container<["pod_terminal"]>[]',
    ],
    [
      'a relationship that was not included',
      `(await client.shipments.get('x')).|destination;`,
      '(property) ShipmentRelationships<[]>.destination: NotIncluded<"port" | "metro_area"> | null',
    ],
    [
      'a relationship that was perhaps included',
      `(await client.containers.rawEvents('x'))[0]!.|vessel;`,
      '(property) RawEventRelationships<RawEventDefaults>.vessel: NotIncluded<"vessel"> | Vessel | null',
    ],
    [
      'a time',
      `(await client.containers.get('x')).|pickup_lfd;`,
      '(property) ContainerAttributes.pickup_lfd: DateTime | null',
    ],
    [
      'a status',
      `(await client.containers.get('x')).|current_status;`,
      '(property) ContainerAttributes.current_status?: ContainerStatus | null | undefined',
    ],
    [
      'a router',
      `createRouter().|on('container.transport.*', n => n.event);`,
      '(method) Router.on<"container.transport.*">(pattern: "container.transport.*", handler: NoInfer<EventHandler<"container.transport.*">>): Router (+1 overload)',
    ],
    [
      'a notification',
      `createRouter().on('container.updated', |n => n.event);`,
      '(parameter) n: SubjectNotification<"container.updated">',
    ],
    [
      'the options of a client',
      `type T = import('container-tracking-sdk').|ClientOptions;`,
      '(alias) type ClientOptions = CommonOptions & (ApiKeyOptions | AccessTokenOptions)\nexport ClientOptions',
    ],
    ['a client', 'client|;', 'const client: TrackingClient'],
  ])('over %s shows its type', (_, program, expected) => {
    const { text } = editor.hover(program);
    expect(sorted(text)).toBe(sorted(expected));
    expect(text.length).toBeLessThanOrEqual(200);
  });

  test.each([
    [`client.shipments.|get('x');`, 'APIPromise<Shipment<[]>>', /NotFoundError/],
    [
      `client.shipments.|get('x', { include: ['containers'] });`,
      'APIPromise<Shipment<["containers"]>>',
      /NotFoundError/,
    ],
    ['client.containers.|list();', 'List<Container<[]>>', /page/],
  ])(
    'over %s shows the type of its result in at most 200 characters, and then its documentation',
    (program, gives, means) => {
      const { text, documentation } = editor.hover(program);
      expect(text).toContain(`: ${gives}`);
      expect(text.length).toBeLessThanOrEqual(200);
      expect(documentation).toMatch(means);
    },
  );

  test('over any field or relationship of a record shows documentation', () => {
    const all = `import('container-tracking-sdk').RecordTypes<[]> & {
      search: import('container-tracking-sdk').SearchResult;
      inference: import('container-tracking-sdk').InferNumberResults;
    }`;
    expect(editor.undocumented(all, name => name !== 'type')).toEqual([]);
  });

  test('over any method of any group shows documentation', () => {
    expect(editor.undocumented('TrackingClient', () => true)).toEqual([]);
  });

  test.each(
    Object.entries({
      apiKey: 'sent as `Authorization: Token',
      accessToken: 'sent as `Authorization: Bearer',
      hooks: 'called',
    }),
  )('over the option %s of a client shows its meaning once', (name, means) => {
    const { documentation } = editor.hover(`new TrackingClient({ |${name}: 'x' });`);
    expect(documentation.split(means)).toHaveLength(2);
  });

  test('over any option of a client shows documentation', () => {
    const parts = ['CommonOptions', 'ClientOptions'].map(
      name => `{ ${name}: Required<import('container-tracking-sdk').${name}> }`,
    );
    expect(editor.undocumented(parts.join(' & '), () => true)).toEqual([]);
  });

  test('over a field shows its time zone or its unit; over a record that is not included, it shows how to include the record', () => {
    expect(editor.hover(`(await client.shipments.get('x')).|pod_eta_at;`).documentation).toContain('pod_timezone');
    expect(editor.hover(`(await client.containers.get('x')).|weight_in_lbs;`).documentation).toContain('pounds');
    const { documentation } = editor.hover(`type T = import('container-tracking-sdk').|NotIncluded<'port'>;`);
    expect(documentation).toContain('add the relationship to the `include` of the call');
  });
});

describe('the editor completes', () => {
  test('the groups of a client after its name', () => {
    const names = editor.complete('client.|;');
    expect(names).toEqual(
      expect.arrayContaining(['shipments', 'containers', 'trackingRequests', 'track', 'worklist', 'withOptions']),
    );
    expect(names).not.toContain('toString');
    expect(names).toHaveLength(28);
  });

  test('the lists of a worklist, and the fields of a row of one list', () => {
    const lists = ['ready', 'lastFreeDay', 'demurrage', 'held', 'late', 'silent'];
    expect(editor.complete('client.worklist({ | });')).toEqual(expect.arrayContaining([...lists, 'now', 'signal']));
    const loop = `for await (const row of client.worklist({ held: true, late: { days: 1 } })) if (row.list === 'held') row.|;`;
    const names = editor.complete(loop);
    expect(names).toEqual(expect.arrayContaining(['by', 'holds', 'reason', 'next', 'terminal']));
    expect(names).not.toContain('since');
  });

  test('the filters of an endpoint', () => {
    expect(editor.complete('client.containers.list({ filter: { | } });')).toContain('pickup_lfd');
    expect(editor.complete('client.shipments.list({ filter: { | } });')).toContain('tracking_stopped');
  });

  test.each([
    ['shipments.get', `client.shipments.get('x', { include: ['|'] });`, 'containers.pod_terminal'],
    [
      'shipments.get, after another path',
      `client.shipments.get('x', { include: ['destination', '|'] });`,
      'pod_terminal',
    ],
    ['track', `client.track({ number: 'x', include: ['|'] });`, 'containers.pod_terminal'],
    ['trackMany', `client.trackMany([], { include: ['|'] });`, 'containers.transport_events'],
    ['containers.list', `client.containers.list({ include: ['|'] });`, 'shipment.port_of_lading'],
    ['transportEvents', `client.containers.transportEvents('x', { include: ['|'] });`, 'location'],
    ['trackingRequests.list', `client.trackingRequests.list({ include: ['|'] });`, 'tracked_object.containers'],
    ['documents.get', `client.documents.get('x', { include: ['|'] });`, 'cargos'],
    ['emailSubmissions.get', `client.emailSubmissions.get('x', { include: ['|'] });`, 'documents'],
    ['webhookNotifications.list', `client.webhookNotifications.list({ include: ['|'] });`, 'reference_object'],
  ])('the paths in the include of %s, and nothing else', (_, program, path) => {
    const names = editor.complete(program);
    expect(names).toContain(path);
    expect(names.filter(name => !/^[a-z_]+(\.[a-z_]+){0,2}$/.test(name))).toEqual([]);
  });

  test('the paths of an include right after its bracket', () => {
    const names = editor.complete(`client.shipments.get('x', { include: [|] });`);
    expect(names).toContain(`'containers'`);
    expect(names[0]).toMatch(/^'/);
  });

  test('the options of a client and of a call', () => {
    expect(editor.complete('new TrackingClient({ | });')).toEqual(
      expect.arrayContaining(['apiKey', 'accessToken', 'baseUrl', 'timeout']),
    );
    expect(editor.complete(`client.shipments.get('x', { | });`)).toEqual(
      expect.arrayContaining(['include', 'signal', 'timeout']),
    );
  });

  test('the fields of a record, and the type and id of a reference', () => {
    const shipment = editor.complete(`(await client.shipments.get('x')).|;`);
    expect(shipment).toEqual(expect.arrayContaining(['id', 'bill_of_lading_number', 'containers', 'links']));
    expect(editor.complete(`(await client.shipments.get('x')).containers[0]!.|;`)).toEqual(['id', 'type']);
  });

  test('the events and families of a router', () => {
    const names = editor.complete(`createRouter().on('|');`);
    expect(names).toEqual(expect.arrayContaining(['container.updated', 'container.transport.*', 'document.*']));
    expect(names).toHaveLength(60);
  });
});

describe('the message of the compiler about', () => {
  test('a record that was not included contains the name NotIncluded', () => {
    expect(editor.problems(`(await client.shipments.get('x')).containers[0].number;`)).toEqual([
      `Property 'number' does not exist on type 'NotIncluded<"container">'.`,
    ]);
  });

  test('reading a record that was perhaps included names both types', () => {
    const [message] = editor.problems(`(await client.trackingRequests.get('x')).tracked_object!.tags;`);
    expect(message).toContain(`Property 'tags' does not exist on type 'NotIncluded<"shipment">'.`);
  });

  test('passing a record without enough includes names the missing parts', () => {
    const [message] = editor.problems(
      `const full: import('container-tracking-sdk').Shipment<['containers']> = await client.shipments.get('x');`,
    );
    expect(message).toContain(
      `Type 'NotIncluded<"container">' is missing the following properties from type 'Container<[]>'`,
    );
  });
});

/**
 * Sorts the members of unions. The compiler prints them in the order in which it found them. This order has no meaning.
 */
function sorted(text: string): string {
  return text
    .split(/(?<=: )| \| /)
    .sort()
    .join(' | ');
}

function isPublic({ name, valueDeclaration }: ts.Symbol): boolean {
  const modifiers = valueDeclaration ? ts.getCombinedModifierFlags(valueDeclaration) : 0;
  return !name.startsWith('#') && !(modifiers & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
}

function openEditor() {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths: {
      'container-tracking-sdk': [resolve(ROOT, 'src/index.ts')],
      'container-tracking-sdk/webhooks': [resolve(ROOT, 'src/webhooks/index.ts')],
    },
  };
  let source = '';
  let version = 0;
  const service = ts.createLanguageService({
    getScriptFileNames: () => [FILE],
    getScriptVersion: file => (file === FILE ? String(version) : '0'),
    getScriptSnapshot: file => {
      const text = file === FILE ? source : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: file => file === FILE || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });

  function open(program: string): number {
    const position = program.indexOf('|') < 0 ? 0 : program.search(/\|(?! \[)/);
    source = `${PREAMBLE}${program.slice(0, position)}${program.slice(position).replace('|', '')}\nexport {};\n`;
    version++;
    return PREAMBLE.length + position;
  }

  return {
    hover(program: string): { text: string; documentation: string } {
      const info = service.getQuickInfoAtPosition(FILE, open(program));
      const tags = (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
      return {
        text: ts.displayPartsToString(info?.displayParts),
        documentation: [ts.displayPartsToString(info?.documentation), ...tags].join('\n'),
      };
    },

    complete(program: string): string[] {
      const { entries = [] } = service.getCompletionsAtPosition(FILE, open(program), {}) ?? {};
      // The best completions have the lowest `sortText`: `0` for literals that fit, `11` for names in scope.
      const best = entries.filter(({ sortText }) => sortText <= '12');
      return best.map(({ name }) => name);
    },

    problems(program: string): string[] {
      open(program);
      return service
        .getSemanticDiagnostics(FILE)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    },

    /** The properties without documentation, or with only tags, in all members of a type. */
    undocumented(type: string, counts: (name: string) => boolean): string[] {
      open(`export type Asked = ${type};`);
      const program = service.getProgram();
      const checker = program?.getTypeChecker();
      const statement = program?.getSourceFile(FILE)?.statements.find(ts.isTypeAliasDeclaration);
      if (!checker || !statement) throw new Error('The program has no types.');
      const groups = checker.getPropertiesOfType(checker.getTypeAtLocation(statement.name)).filter(isPublic);
      return groups.flatMap(group => {
        const members = checker.getPropertiesOfType(checker.getTypeOfSymbol(group));
        return members
          .filter(member => counts(member.name) && isPublic(member))
          .filter(member => member.getDocumentationComment(checker).length === 0)
          .filter(member => member.getJsDocTags(checker).every(({ name }) => name !== 'deprecated'))
          .map(member => `${group.name}.${member.name}`);
      });
    },
  };
}
