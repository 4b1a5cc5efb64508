/** What there is to know of a page address that the service sent. It is never called: pages are asked for at the base URL. */
export interface PageAddress {
  /** The number of the page, if it names one. */
  number: number | undefined;
  /** Where it leads, without its query, if that is not below the base URL. */
  elsewhere: string | undefined;
}

/** `undefined` for what is no address. */
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
