import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type {
  Accepted,
  ContainerCounts,
  DirectUpload,
  DocumentTypeDetail,
  DocumentTypes,
  DownloadUrl,
  MapFeature,
  MapFeatureCollection,
  RefreshResult,
  Resources,
  ResourceType,
  TriggerResult,
  WebhookIps,
} from '../../src/model/index.ts';
import type { answers, notification, schemas } from '../../src/schemas/index.ts';

/** The part of a type in which schema and interface must agree. Enums are open, and unknown keys are accepted. */
type Plain<T> = unknown extends T
  ? unknown
  : T extends string
    ? string
    : T extends readonly unknown[]
      ? { [K in keyof T]: Plain<T[K]> }
      : T extends object
        ? { [K in keyof T as string extends K ? never : K]: Plain<T[K]> }
        : T;

type Present<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The keys in which two objects differ. No key of a schema is required, so an optional key is not a difference. */
type Differences<A, B> = {
  [K in keyof A | keyof B]-?: K extends keyof A & keyof B ? (Same<A[K], B[K]> extends true ? never : K) : K;
}[keyof A | keyof B];

type AttributeDrift<T extends ResourceType> = Differences<
  Present<Plain<NonNullable<z.output<(typeof schemas)[T]>['attributes']>>>,
  Present<Plain<Resources[T]['attributes']>>
>;

/** The targets of a relationship: the types of its references, and their number (one, at most one, or many). */
type SchemaTargets<R> = {
  [K in keyof R as string extends K ? never : K]-?: Exclude<R[K], undefined> extends { data?: infer Data }
    ? Target<Exclude<Data, undefined>>
    : never;
};
type Target<Value> = Value extends readonly (infer Item)[]
  ? Target<Item>[]
  : Value extends { type: infer T extends string; id: string }
    ? { type: T; id: string }
    : Value;
type RecordTargets<R> = { [K in keyof R]-?: Target<Exclude<R[K], undefined>> };

type RelationshipDrift<T extends ResourceType> = Differences<
  SchemaTargets<NonNullable<z.output<(typeof schemas)[T]>['relationships']>>,
  RecordTargets<Resources[T]['relationships']>
>;

type Drift = {
  [T in ResourceType]: `${T}.${(AttributeDrift<T> | RelationshipDrift<T>) & string}`;
}[ResourceType];

test('every schema has the attributes and the relationships of its interface, with the same types', () => {
  // This is an assignment, because its error names the difference: `"shipment.tags" is not assignable to never`.
  const drift: never[] = [] as Drift[];
  void drift;
});

interface Answers {
  'containers.mapGeojson': MapFeatureCollection;
  'containers.refresh': RefreshResult;
  'containers.summary': ContainerCounts;
  'directUploads.create': DirectUpload;
  'documents.downloadUrl': DownloadUrl;
  'documents.reclassify': Accepted;
  'documents.reextract': Accepted;
  'documents.relink': Accepted;
  'documents.rotate': Accepted;
  'documents.type': DocumentTypeDetail;
  'documents.types': DocumentTypes;
  'webhooks.ips': WebhookIps;
  'webhooks.trigger': TriggerResult;
}

/** The known features of a map, by their kind. The schema also accepts new kinds, which are left out here. */
type Kinds<Feature> = Feature extends { properties: { feature_type: infer Kind extends string } }
  ? string extends Kind
    ? never
    : { [K in Kind]: Plain<Feature> }
  : never;
type Together<U> = (U extends unknown ? (union: U) => void : never) extends (all: infer All) => void
  ? { [K in keyof All]: All[K] }
  : never;
type SchemaFeature = z.output<(typeof answers)['containers.mapGeojson']>['features'][number];

type AnswerDrift = {
  [N in keyof Answers]: `${N} ${Differences<Plain<z.output<(typeof answers)[N]>>, Plain<Answers[N]>> & string}`;
};

test('every schema of plain JSON has the keys of its interface, with the same types', () => {
  const drift: never[] = [] as Exclude<AnswerDrift[keyof Answers], 'containers.mapGeojson features'>[];
  void drift;
  const features: never[] = [] as Differences<Together<Kinds<SchemaFeature>>, Together<Kinds<MapFeature>>>[];
  void features;
  expectTypeOf<keyof Together<Kinds<SchemaFeature>>>().toEqualTypeOf<MapFeature['properties']['feature_type']>();
});

test('every response in plain JSON has a schema, and every schema for plain JSON has a response', () => {
  expectTypeOf<keyof typeof answers>().toEqualTypeOf<keyof Answers>();
});

test('every resource type has a schema, and every schema for records has a resource type', () => {
  expectTypeOf<keyof typeof schemas>().toEqualTypeOf<ResourceType>();
});

test('the comparison detects a missing key, a different type, a null, and a nested optional key', () => {
  expectTypeOf<Differences<{ a: string }, { a: string; b: string }>>().toEqualTypeOf<'b'>();
  expectTypeOf<Differences<{ a: string }, { a: number }>>().toEqualTypeOf<'a'>();
  expectTypeOf<Differences<{ a: string }, { a: string | null }>>().toEqualTypeOf<'a'>();
  expectTypeOf<Differences<{ a: { b?: string } }, { a: { b: string } }>>().toEqualTypeOf<'a'>();
  type To<T extends string> = { type: T; id: string };
  expectTypeOf<
    Differences<RecordTargets<{ a: To<'port'> }>, RecordTargets<{ a: To<'vessel'> }>>
  >().toEqualTypeOf<'a'>();
  expectTypeOf<
    Differences<RecordTargets<{ a: To<'port'> }>, RecordTargets<{ a: To<'port'> | null }>>
  >().toEqualTypeOf<'a'>();
  expectTypeOf<
    Differences<RecordTargets<{ a: To<'port'> }>, RecordTargets<{ a: To<'port'>[] }>>
  >().toEqualTypeOf<'a'>();
});

test('a parsed notification has its envelope', () => {
  type Notification = z.output<typeof notification>;
  expectTypeOf<Notification['data']['type']>().toEqualTypeOf<'webhook_notification'>();
  expectTypeOf<NonNullable<Notification['included']>[number]['type']>().toEqualTypeOf<string>();
});
