import type { AttributeText } from './attribute-text';
import type { Configuration } from './configuration';

/** Most attributes that fit into the line of facts. */
const MAX_FACTS = 5;
/** Longest text of a fact. */
const MAX_FACT_CHARACTERS = 40;

/** Chooses the attributes that stand in the line of facts below a title, in the order of their definitions. */
export function attributeFacts(
  attributes: Readonly<Record<string, string>>,
  { byKey }: Configuration,
  textOf: (key: number, text: string) => AttributeText,
): { name: string; value: string }[] {
  return [...byKey.values()]
    .flatMap(({ key, description }) => {
      const text = attributes[key];
      const shown = text === undefined || text === '' ? '' : textOf(key, text).text;
      return shown === '' || shown.length > MAX_FACT_CHARACTERS ? [] : [{ name: description, value: shown }];
    })
    .slice(0, MAX_FACTS);
}
