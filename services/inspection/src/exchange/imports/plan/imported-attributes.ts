import { newValueProblem, ruleOf } from '../../../configuration/attribute-values.js';
import type { AttributeEntity, Configuration } from '../../../configuration/configuration.js';
import type { CatalogKeys } from './imported-catalogs.js';

type Attributes = Readonly<Record<string, string>>;

/** Fields of AQDEF whose keys mean something else in this interface; spec: exchange interface. */
const OTHER_MEANING: Readonly<Partial<Record<AttributeEntity, ReadonlySet<string>>>> = {
  measurement: new Set(['96', '97', '98', '99', '100', '101']),
};
/** Type of a characteristic: in this interface 2004 is a direction. */
const [FILE_TYPE_KEY, TYPE_KEY] = ['2004', '12004'] as const;

/** Keeps of the fields of a file what the configuration of the server allows. */
export class ImportedAttributes {
  private readonly configuration: Configuration;
  private readonly catalogs: CatalogKeys;
  private readonly undefinedKeys = new Map<AttributeEntity, Set<string>>();
  private readonly misfits = new Map<string, string>();

  constructor(configuration: Configuration, catalogs: CatalogKeys) {
    this.configuration = configuration;
    this.catalogs = catalogs;
  }

  /** @returns the attributes that can be stored */
  of(entity: AttributeEntity, written: Attributes): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const fileKey in written) {
      const key = entity === 'characteristic' && fileKey === FILE_TYPE_KEY ? TYPE_KEY : fileKey;
      const text = written[fileKey] as string;
      const rule = OTHER_MEANING[entity]?.has(fileKey) ? undefined : ruleOf(this.configuration, entity, Number(key));
      if (!rule) this.noteUndefined(entity, fileKey);
      else if (rule.type === 'Catalog') {
        const entry = this.catalogs.entryOf(Number(key), text);
        if (entry === undefined) this.misfits.set(`${entity} ${key}`, `its catalog has no entry for ${JSON.stringify(text.slice(0, 40))}`);
        else kept[key] = String(entry);
      } else {
        const problem = newValueProblem(text, rule.type, rule.length);
        if (problem === undefined) kept[key] = text;
        else this.misfits.set(`${entity} ${key}`, `${JSON.stringify(text.slice(0, 40))}: ${problem}`);
      }
    }
    return kept;
  }

  /** Says once for each key what was left out. */
  warnings(): { key: string; message: string }[] {
    const missing = [...this.undefinedKeys].flatMap(([entity, keys]) =>
      [...keys].map((key) => ({
        key: keyName(key),
        message:
          `The server has no ${entity} attribute ${key}, so that ${keyName(key)} is left out. ` +
          'Define it in the configuration to keep it.',
      })),
    );
    const unfit = [...this.misfits].map(([place, problem]) => {
      const key = place.split(' ')[1] ?? '';
      return { key: keyName(key), message: `The ${place.replace(' ', ' attribute ')} is left out where it does not fit: ${problem}.` };
    });
    return [...missing, ...unfit];
  }

  private noteUndefined(entity: AttributeEntity, key: string): void {
    const known = this.undefinedKeys.get(entity);
    if (known) known.add(key);
    else this.undefinedKeys.set(entity, new Set([key]));
  }
}

function keyName(key: string): string {
  return `K${key.padStart(4, '0')}`;
}
