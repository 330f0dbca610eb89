/** Attribute values to write, by attribute key; `null` means absent. Reading returns texts. spec: decisions.md 2.1 */
export type WrittenAttributes = Readonly<Record<string | number, string | number | boolean | null>>;

/** Attributes of an answer: all, none, or those with these keys. */
export type AttributeChoice = 'All' | 'None' | readonly number[];

/** Requires at least one member of a selector: a mistake must not become "delete all". @throws TypeError */
export function chosen<T extends object>(selector: T, names: readonly (keyof T & string)[], all: string): T {
  const given = names.filter((name) => selector[name] !== undefined);
  if (given.length === 0) throw new TypeError(`Name what to delete: ${names.join(' or ')}. ${all}`);
  const empty = given.find((name) => Array.isArray(selector[name]) && (selector[name] as unknown[]).length === 0);
  if (empty !== undefined) throw new TypeError(`The list ${empty} is empty, and nothing is deleted. Name at least one item.`);
  return selector;
}
