/** A small client in the camelCase style, for the page that compares it with the client of this package. */

/** A record in the form that such clients return: attributes in camelCase, relationships only as ids. */
// biome-ignore lint/suspicious/noExplicitAny: clients of this style often type a record like this
type CamelRecord = { id: string; [attribute: string]: any };

interface CamelPage {
  items: CamelRecord[];
  included: CamelRecord[];
  links: { next?: string | null };
}

class CamelError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

class CamelClient {
  readonly containers = {
    list: (query: { page: number; pageSize: number; include?: string }) =>
      this.#page(`/containers?${queryOf(query.page, query.pageSize, query.include)}`),
    get: (id: string) => this.#one('GET', `/containers/${id}`),
    transportEvents: (id: string) => this.#page(`/containers/${id}/transport_events?${queryOf(1, 100, 'location')}`),
  };
  readonly shipments = {
    list: (query: { page: number; pageSize: number }) =>
      this.#page(`/shipments?${queryOf(query.page, query.pageSize)}`),
    get: (id: string) => this.#one('GET', `/shipments/${id}`),
    update: (id: string, attributes: object) =>
      this.#one('PATCH', `/shipments/${id}`, { data: { type: 'shipment', id, attributes: snaked(attributes) } }),
  };
  readonly trackingRequests = {
    create: (attributes: object) =>
      this.#one('POST', '/tracking_requests', { data: { type: 'tracking_request', attributes: snaked(attributes) } }),
    get: (id: string) => this.#one('GET', `/tracking_requests/${id}`),
  };

  async #page(path: string): Promise<CamelPage> {
    const { data, included = [], links = {} } = await this.#call('GET', path);
    return { items: data.map(camelRecord), included: included.map(camelRecord), links };
  }

  async #one(method: string, path: string, body?: object): Promise<CamelRecord> {
    return camelRecord((await this.#call(method, path, body)).data);
  }

  async #call(method: string, path: string, body?: object) {
    const response = await fetch(`${process.env.TRACKING_BASE_URL}${path}`, {
      method,
      headers: { authorization: `Token ${process.env.TRACKING_API_KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new CamelError(response.status, text);
    return JSON.parse(text);
  }
}

export const camel = new CamelClient();

function queryOf(page: number, pageSize: number, include?: string): string {
  return `page[number]=${page}&page[size]=${pageSize}${include ? `&include=${include}` : ''}`;
}

// biome-ignore lint/suspicious/noExplicitAny: any record of the service
function camelRecord({ id, attributes, relationships = {} }: any): CamelRecord {
  const ids = Object.entries<{ data?: { id: string } | null }>(relationships).map(([name, { data }]) => [
    `${camelName(name)}Id`,
    data?.id,
  ]);
  const values = Object.entries(attributes).map(([name, value]) => [camelName(name), value]);
  return { ...Object.fromEntries([...ids, ...values]), id };
}

function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function snaked(attributes: object): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
