import * as z from 'zod/mini';
import { isDate, isDateTime } from './date-time.ts';

/** Schemas of attribute values. Enums are `text`, because the service may add values at any time. */

export const text = z.string();
export const textOrNull = z.nullable(text);
export const texts = z.array(text);

export const flag = z.boolean();
export const flagOrNull = z.nullable(flag);

export const number = z.number();
export const numberOrNull = z.nullable(number);

export const dateTime = z.stringFormat('date-time', isDateTime);
export const dateTimeOrNull = z.nullable(dateTime);

export const date = z.stringFormat('date', isDate);
export const dateOrNull = z.nullable(date);

/** Coordinates are numbers in the service's schema and decimal text in its answers (docs/service/records.md#coordinates). */
export const degrees = z.nullable(z.union([number, text]));

/** An object of any shape. */
export const json = z.looseObject({});
export const jsonOrNull = z.nullable(json);

export const unknown = z.unknown();
