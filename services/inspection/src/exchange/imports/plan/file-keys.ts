import { CAUSE_ATTRIBUTE, CHARACTERISTIC_KEYS, ServiceError } from '@sinebar/contracts';
import { EVENTS_KEY, splitEvents, type FileCharacteristic, type FileContent, type FileMeasurement } from '@sinebar/exchange';
import { TIME_KEY, type AttributeEntity, type Configuration } from '../../../configuration/configuration.ts';
import { CatalogTexts } from './imported-catalogs.ts';
import { Turns } from '../../../shared/turns.ts';
import { keyName, ruleOfField } from './imported-attributes.ts';

type FileAttributes = Readonly<Record<string, string>>;
type FileEntity = Exclude<AttributeEntity, 'catalog'>;

const NEEDED_OF_CHARACTERISTIC = [
  CHARACTERISTIC_KEYS.target,
  CHARACTERISTIC_KEYS.nominal,
  CHARACTERISTIC_KEYS.lowerTolerance,
  CHARACTERISTIC_KEYS.upperTolerance,
  CHARACTERISTIC_KEYS.lowerDeviation,
  CHARACTERISTIC_KEYS.upperDeviation,
  2114,
  2115,
  CHARACTERISTIC_KEYS.lowerLimitKind,
  CHARACTERISTIC_KEYS.upperLimitKind,
  CHARACTERISTIC_KEYS.unit,
  12004,
] as const;

/** Attributes without which measured values lose their meaning. spec: decisions.md 11.1 */
const NEEDED: Readonly<Record<FileEntity, ReadonlySet<number>>> = {
  part: new Set(),
  characteristic: new Set(NEEDED_OF_CHARACTERISTIC),
  // A table without a mapping gives the columns of limits to its measurements.
  measurement: new Set([TIME_KEY, ...NEEDED_OF_CHARACTERISTIC]),
  value: new Set(),
};

/** Keys that a file has for each kind of entity, and its texts that refer to catalogs. */
export class FileKeys {
  readonly texts: CatalogTexts;
  /** Whether the attribute 5 of values holds events, as in AQDEF. */
  readonly areEventsRead: boolean;
  /** Events of values, as the file writes them. */
  readonly events = new Set<string>();
  private readonly turns = new Turns();
  private readonly keys: Readonly<Record<FileEntity, Set<string>>> = {
    part: new Set(),
    characteristic: new Set(),
    measurement: new Set(),
    value: new Set(),
  };

  /** @param catalogKeys attributes that refer to catalogs, or may do so */
  constructor(catalogKeys: Iterable<number>, areEventsRead: boolean) {
    this.areEventsRead = areEventsRead;
    this.texts = new CatalogTexts(catalogKeys);
  }

  noteMeasurement({ attributes, valueAttributes }: Pick<FileMeasurement, 'attributes' | 'valueAttributes'>): void {
    this.note('measurement', attributes);
    for (const own of valueAttributes?.values() ?? []) {
      if (!this.areEventsRead || own[EVENTS_KEY] === undefined) {
        this.note('value', own);
        continue;
      }
      const { [EVENTS_KEY]: events, ...others } = own;
      this.note('value', others);
      for (const event of splitEvents(events)) {
        this.texts.note({ [CAUSE_ATTRIBUTE]: event });
        this.events.add(event);
      }
    }
  }

  async notePlan({ parts }: Pick<FileContent, 'parts'>): Promise<void> {
    for (const { attributes, characteristics } of parts) {
      if (this.turns.isOver) await this.turns.pass();
      this.note('part', attributes);
      await this.noteCharacteristics(characteristics);
    }
  }

  has(entity: AttributeEntity, key: number): boolean {
    return entity !== 'catalog' && this.numbersOf(entity).includes(key);
  }

  /**
   * Says once for each key what the configuration has no attribute for.
   * @throws ServiceError 400 one of them is needed for limits, unit, type or time, unless that is wanted
   */
  warnings(configuration: Configuration, ignoreUndefined: boolean): { key: string; message: string }[] {
    const undefinedKeys = (Object.keys(this.keys) as FileEntity[]).flatMap((entity) =>
      this.numbersOf(entity)
        .filter((key) => ruleOfField(configuration, entity, key) === undefined)
        .map((key) => ({ entity, key })),
    );
    const lost = undefinedKeys.filter(({ entity, key }) => NEEDED[entity].has(key));
    if (lost.length > 0 && !ignoreUndefined) throw lossOf(lost);
    return undefinedKeys.map(({ entity, key }) => ({
      key: keyName(key),
      message:
        `The server has no ${entity} attribute ${key}, so that ${keyName(key)} is left out. ` +
        'Define it in the configuration to keep it.',
    }));
  }

  private async noteCharacteristics(characteristics: readonly FileCharacteristic[]): Promise<void> {
    for (const { attributes, children } of characteristics) {
      if (this.turns.isOver) await this.turns.pass();
      this.note('characteristic', attributes);
      if (children.length > 0) await this.noteCharacteristics(children);
    }
  }

  private note(entity: FileEntity, attributes: FileAttributes): void {
    for (const key in attributes) this.keys[entity].add(key);
    this.texts.note(attributes);
  }

  private numbersOf(entity: FileEntity): number[] {
    return [...this.keys[entity]].map(Number).sort((a, b) => a - b);
  }
}

function lossOf(lost: readonly { entity: FileEntity; key: number }[]): ServiceError {
  const names = lost.map(({ key }) => keyName(key)).join(', ');
  const message =
    `The server has no attribute for ${names}, so that limits, units or times of the file would be lost, and nothing was stored. ` +
    (lost.some(({ entity, key }) => entity === 'measurement' && key !== TIME_KEY)
      ? 'Say in the mapping that these columns are attributes of the characteristic, or leave them out with ignoreUndefined=true.'
      : 'Define these attributes, or leave the fields out with ignoreUndefined=true.');
  return new ServiceError('InvalidRequest', message, {
    details: lost.map(({ entity, key }) => ({ field: keyName(key), message: `The server has no ${entity} attribute ${key}.` })),
  });
}
