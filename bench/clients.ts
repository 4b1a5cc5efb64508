import { deepStrictEqual } from 'node:assert/strict';
import type { Shipment } from 'container-tracking-sdk';
import ky from 'ky';
import { ANSWER } from './answering.ts';
import { load, ours } from './packages.ts';

/** A client that is measured. It reads the sample document. */
export interface Client {
  name: string;
  get(): Promise<unknown>;
  /** True if the value is the whole response. The benchmark calls this function after every request. */
  isWhole(value: unknown): boolean;
}

export const FETCH = 'fetch';
export const CONTROL = 'fetch once more';
export const FLOOR = 'fetch with a signal and a timer';
export const OFF = 'ours, validation off';
export const WARN = 'ours, validation warn';

type Body = { data: { id: string }; included: unknown[] };

const SENT = JSON.parse(ANSWER) as Body;
export const ID = SENT.data.id;
export const INCLUDE = [
  'containers',
  'pod_terminal',
  'port_of_lading',
  'port_of_discharge',
  'destination',
  'destination_terminal',
] as const;
export const PATH = `/shipments/${ID}?include=${INCLUDE.join(',')}`;

/** All clients read the same document with a documented call and their default settings. */
export async function clients(origin: string): Promise<Client[]> {
  const all = [...bare(`${origin}/v2${PATH}`), ...(await others(origin)), ...(await own(`${origin}/v2`))];
  for (const { name, get, isWhole } of all) {
    const value = await get();
    if (!isWhole(value)) throw new Error(`${name}: the result differs from the response.`);
    if (isWhole === isSent) deepStrictEqual(JSON.parse(JSON.stringify(value)), SENT, name);
  }
  return all;
}

function isSent(value: unknown): boolean {
  const { data, included } = value as Body;
  return data.id === ID && included.length === SENT.included.length;
}

/** True if the shipment has a record with attributes for each path in `INCLUDE`. */
function isLinked(value: unknown): boolean {
  const shipment = value as Shipment<typeof INCLUDE>;
  const { port_of_lading, port_of_discharge, destination, pod_terminal, destination_terminal, containers } = shipment;
  const places = [port_of_lading, port_of_discharge, destination, pod_terminal, destination_terminal];
  return shipment.id === ID && containers[0]?.number !== undefined && places.every(place => place && 'name' in place);
}

function bare(url: string): Client[] {
  const headers = { authorization: 'Token key' };
  const get = async (init: RequestInit) => {
    const response = await fetch(url, init);
    if (response.status !== 200) throw new Error(`The status of the response is ${response.status}.`);
    return response.json();
  };
  const limited = async () => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 30_000);
    try {
      return await get({ headers, signal: controller.signal });
    } finally {
      clearTimeout(timer);
    }
  };
  return [
    { name: FETCH, get: () => get({ headers }), isWhole: isSent },
    { name: CONTROL, get: () => get({ headers }), isWhole: isSent },
    { name: FLOOR, get: limited, isWhole: isSent },
    { name: 'ky', get: () => ky(url, { headers }).json(), isWhole: isSent },
  ];
}

async function others(origin: string): Promise<Client[]> {
  const { hostname, port } = new URL(origin);
  const { default: Stripe } = await load<{ default: Stripe }>('stripe');
  const { Client: Notion } = await load<{ Client: Notion }>('@notionhq/client');
  const { Octokit } = await load<{ Octokit: Octokit }>('@octokit/core');
  const { default: OpenAI } = await load<{ default: Generated }>('openai');
  const { default: Anthropic } = await load<{ default: Generated }>('@anthropic-ai/sdk');

  const stripe = new Stripe('sk_test_key', { host: hostname, port, protocol: 'http' });
  const notion = new Notion({ auth: 'key', baseUrl: origin });
  const octokit = new Octokit({ auth: 'key', baseUrl: origin });
  const openai = new OpenAI({ apiKey: 'key', baseURL: origin });
  const anthropic = new Anthropic({ apiKey: 'key', baseURL: origin });
  return [
    { name: 'stripe', get: () => stripe.rawRequest('GET', PATH), isWhole: isSent },
    {
      name: '@notionhq/client',
      get: () => notion.request({ path: PATH.slice(1), method: 'get' }),
      isWhole: isSent,
    },
    { name: '@octokit/core', get: async () => (await octokit.request(`GET ${PATH}`)).data, isWhole: isSent },
    { name: 'openai', get: () => openai.get(PATH), isWhole: isSent },
    { name: '@anthropic-ai/sdk', get: () => anthropic.get(PATH), isWhole: isSent },
  ];
}

type Stripe = new (key: string, options: object) => { rawRequest(method: string, path: string): Promise<unknown> };
type Notion = new (options: object) => { request(request: object): Promise<unknown> };
type Octokit = new (options: object) => { request(route: string): Promise<{ data: unknown }> };
type Generated = new (options: object) => { get(path: string): Promise<unknown> };

async function own(baseUrl: string): Promise<Client[]> {
  const { TrackingClient } = await ours<typeof import('container-tracking-sdk')>();
  // The benchmark makes more requests in a minute than the default limit allows.
  const options = { baseUrl, apiKey: 'key', rateLimit: { limits: { default: 1e9 } } };
  const notChecking = new TrackingClient({ ...options, validation: 'off' });
  const checking = new TrackingClient(options);
  return [
    { name: OFF, get: () => notChecking.shipments.get(ID, { include: INCLUDE }), isWhole: isLinked },
    { name: WARN, get: () => checking.shipments.get(ID, { include: INCLUDE }), isWhole: isLinked },
  ];
}
