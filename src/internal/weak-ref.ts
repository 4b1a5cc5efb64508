/**
 * Workers with an older compatibility date have no `WeakRef`. This must be a separate function. A closure keeps in
 * memory every variable that any closure of the same function uses.
 */
export function weakRef<T extends object>(value: T): Pick<WeakRef<T>, 'deref'> {
  return typeof WeakRef === 'undefined' ? { deref: () => value } : new WeakRef(value);
}
