/**
 * Values that can be changed at any time, one by one. No name can be added.
 *
 * @param check Throws for a value that is not allowed.
 */
export function switches<T extends object>(defaults: T, given: Partial<T>, check: (changes: Partial<T>) => void): T {
  const values: T = { ...defaults };
  const switched = {} as T;
  for (const name of Object.keys(defaults) as (keyof T)[]) {
    values[name] = given[name] ?? defaults[name];
    Object.defineProperty(switched, name, {
      enumerable: true,
      get: () => values[name],
      set(value: T[keyof T]) {
        check({ [name]: value ?? null } as Partial<T>);
        values[name] = value;
      },
    });
  }
  return Object.seal(switched);
}
