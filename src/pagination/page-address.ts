/** What a page address of the service tells. No request goes to this address: pages are requested from the base URL. */
export interface PageAddress {
  /** The number of the page; `undefined` if the address contains none. */
  number: number | undefined;
  /** The address without its query, if it is not below the base URL. */
  elsewhere: string | undefined;
}

/** `undefined` if the text is not an address. */
export function readPageAddress(baseUrl: string, address: string): PageAddress | undefined {
  if (!URL.canParse(address, `${baseUrl}/`)) return undefined;
  const { origin, pathname, searchParams } = new URL(address, `${baseUrl}/`);
  const base = new URL(baseUrl);
  const below = pathname === base.pathname || pathname.startsWith(`${base.pathname}/`);
  const number = Number(searchParams.get('page[number]') ?? Number.NaN);
  return {
    number: Number.isSafeInteger(number) ? number : undefined,
    elsewhere: origin === base.origin && below ? undefined : origin + pathname,
  };
}
