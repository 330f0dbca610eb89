import { CAUSE_ATTRIBUTE, ACTION_ATTRIBUTE } from './attribute-keys.ts';
import type { AttributeOwner } from './configuration.ts';

export type StandardType = 'AlphaNumeric' | 'Integer' | 'Float' | 'DateTime' | 'Catalog';

/** Names for people, by language. */
export interface StandardNames {
  en: string;
  de: string;
}

/** An attribute that imported files may have. Its key is that of the field of AQDEF, but for 12004, which is K2004. */
export interface StandardAttribute {
  key: number;
  entity: AttributeOwner;
  names: StandardNames;
  type: StandardType;
  /** Most characters of a text; `undefined` for other types. */
  length?: number;
  /** Catalog of an attribute of the type Catalog: its name, and the attributes of its entries, the text of a file first. */
  catalog?: { names: StandardNames; validAttributes: readonly number[] };
}

type Row = readonly [key: number, en: string, de: string, kind: Pick<StandardAttribute, 'type' | 'length' | 'catalog'>];

const text = (length: number) => ({ type: 'AlphaNumeric' as const, length });
const integer = { type: 'Integer' } as const;
const float = { type: 'Float' } as const;
const catalog = (en: string, de: string, validAttributes: readonly number[]) => ({
  type: 'Catalog' as const,
  catalog: { names: { en, de }, validAttributes },
});

const ROWS: Readonly<Record<AttributeOwner, readonly Row[]>> = {
  catalog: [
    [4062, 'Machine number', 'Maschinennummer', text(40)],
    [4063, 'Machine', 'Maschine', text(80)],
    [4072, 'Gage number', 'Prüfmittelnummer', text(40)],
    [4073, 'Gage', 'Prüfmittel', text(80)],
    [4074, 'Gage group', 'Prüfmittelgruppe', text(80)],
    [4092, 'Operator number', 'Prüfernummer', text(40)],
    [4093, 'Operator', 'Prüfer', text(80)],
    [CAUSE_ATTRIBUTE, 'Cause', 'Ursache', text(80)],
    [ACTION_ATTRIBUTE, 'Action', 'Maßnahme', text(80)],
  ],
  part: [
    [1001, 'Part number', 'Teilenummer', text(30)],
    [1002, 'Part description', 'Teilebezeichnung', text(80)],
    [1003, 'Part abbreviation', 'Teil Kurzbezeichnung', text(20)],
    [1004, 'Part amendment', 'Teil Änderungsstand', text(20)],
    [1008, 'Part type', 'Teiletyp', text(40)],
    [1010, 'Control item', 'Dokumentationspflicht', text(20)],
    [1021, 'Manufacturer number', 'Herstellernummer', text(40)],
    [1022, 'Manufacturer', 'Hersteller', text(80)],
    [1032, 'Material', 'Werkstoff', text(80)],
    [1041, 'Drawing number', 'Zeichnungsnummer', text(30)],
    [1042, 'Drawing amendment', 'Zeichnung Änderungsstand', text(40)],
    [1046, 'Drawing', 'Zeichnung', text(80)],
    [1053, 'Contract', 'Auftrag', text(80)],
    [1062, 'Customer', 'Kunde', text(80)],
    [1072, 'Supplier', 'Lieferant', text(80)],
    [1081, 'Machine number of the part', 'Maschinennummer des Teils', text(40)],
    [1082, 'Machine of the part', 'Maschine des Teils', text(80)],
    [1086, 'Operation of the part', 'Arbeitsgang des Teils', text(40)],
    [1100, 'Plant sector', 'Bereich im Werk', text(80)],
    [1101, 'Department', 'Abteilung', text(80)],
    [1103, 'Cost centre', 'Kostenstelle', text(80)],
    [1203, 'Reason for the inspection', 'Prüfgrund', text(80)],
    [1209, 'Inspection type', 'Prüfart', text(80)],
    [1222, 'Inspector', 'Prüfer des Teils', text(80)],
    [1303, 'Plant', 'Werk', text(80)],
    [1342, 'Inspection plan', 'Prüfplan', text(80)],
    [1900, 'Remark on the part', 'Bemerkung zum Teil', text(255)],
  ],
  characteristic: [
    [2001, 'Characteristic number', 'Merkmalsnummer', text(20)],
    [2002, 'Characteristic description', 'Merkmalsbezeichnung', text(80)],
    [2003, 'Characteristic abbreviation', 'Merkmal Kurzbezeichnung', text(20)],
    [2005, 'Characteristic class', 'Merkmalsklasse', integer],
    [2009, 'Measured quantity', 'Messgröße', text(40)],
    [2011, 'Distribution', 'Verteilung', integer],
    [2022, 'Decimal places', 'Nachkommastellen', integer],
    [2100, 'Target value', 'Zielwert', float],
    [2101, 'Nominal value', 'Nennmaß', float],
    [2110, 'Lower tolerance limit', 'Untere Toleranzgrenze', float],
    [2111, 'Upper tolerance limit', 'Obere Toleranzgrenze', float],
    [2112, 'Lower allowance', 'Unteres Abmaß', float],
    [2113, 'Upper allowance', 'Oberes Abmaß', float],
    [2114, 'Lower scrap limit', 'Untere Ausschussgrenze', float],
    [2115, 'Upper scrap limit', 'Obere Ausschussgrenze', float],
    [2120, 'Kind of the lower limit (2: natural boundary)', 'Art der unteren Grenze (2: natürlich)', integer],
    [2121, 'Kind of the upper limit (2: natural boundary)', 'Art der oberen Grenze (2: natürlich)', integer],
    [2130, 'Lower plausibility limit', 'Untere Plausibilitätsgrenze', float],
    [2131, 'Upper plausibility limit', 'Obere Plausibilitätsgrenze', float],
    [2142, 'Unit', 'Einheit', text(20)],
    [2202, 'Kind of evaluation', 'Auswertungsart', text(40)],
    [2301, 'Machine number of the characteristic', 'Maschinennummer des Merkmals', text(40)],
    [2302, 'Machine of the characteristic', 'Maschine des Merkmals', text(80)],
    [2311, 'Operation number', 'Arbeitsgangnummer', text(40)],
    [2312, 'Operation', 'Arbeitsgang', text(80)],
    [2401, 'Gage number of the characteristic', 'Prüfmittelnummer des Merkmals', text(40)],
    [2402, 'Gage of the characteristic', 'Prüfmittel des Merkmals', text(80)],
    [2404, 'Gage resolution', 'Prüfmittelauflösung', float],
    [2900, 'Remark on the characteristic', 'Bemerkung zum Merkmal', text(255)],
    [8006, 'Lower alarm limit', 'Untere Alarmgrenze', float],
    [8007, 'Upper alarm limit', 'Obere Alarmgrenze', float],
    [8010, 'Chart of the location', 'Karte der Lage', integer],
    [8011, 'Centre line', 'Mittellinie', float],
    [8012, 'Lower control limit', 'Untere Eingriffsgrenze', float],
    [8013, 'Upper control limit', 'Obere Eingriffsgrenze', float],
    [8014, 'Lower warning limit', 'Untere Warngrenze', float],
    [8015, 'Upper warning limit', 'Obere Warngrenze', float],
    [8110, 'Chart of the variation', 'Karte der Streuung', integer],
    [8500, 'Subgroup size', 'Stichprobenumfang', integer],
    [8501, 'Subgroup type', 'Stichprobenart', integer],
    [8520, 'Required Cpk', 'Geforderter Cpk', float],
    [8521, 'Required Cp', 'Geforderter Cp', float],
    [12004, 'Characteristic type (1, 5, 6: attributive)', 'Merkmalsart (1, 5, 6: attributiv)', integer],
  ],
  measurement: [
    [4, 'Time', 'Zeit', { type: 'DateTime' }],
    [5, 'Events', 'Ereignisse', text(255)],
    [6, 'Batch', 'Charge', text(80)],
    [7, 'Cavity', 'Nest', text(40)],
    [8, 'Operator', 'Prüfer', catalog('Operators', 'Prüfer', [4092, 4093])],
    [9, 'Text', 'Text', text(255)],
    [10, 'Machine', 'Maschine', catalog('Machines', 'Maschinen', [4062, 4063])],
    [11, 'Process parameter', 'Prozessparameter', text(255)],
    [12, 'Gage', 'Prüfmittel', catalog('Gages', 'Prüfmittel', [4072, 4073, 4074])],
    [14, 'Serial number', 'Seriennummer', text(80)],
    [15, 'Reason for the measurement', 'Grund der Messung', text(40)],
    [16, 'Production number', 'Produktionsnummer', text(80)],
    [17, 'Fixture', 'Aufspannung', text(80)],
    [53, 'Order', 'Auftragsnummer', text(80)],
    [80, 'Subgroup', 'Stichprobe', text(40)],
    [81, 'Position in the subgroup', 'Stelle in der Stichprobe', text(40)],
  ],
  value: [
    [1, 'Measured value', 'Messwert', float],
    [2, 'Value attribute', 'Messwertattribut', integer],
    [20, 'Sample size', 'Stichprobengröße', float],
    [21, 'Number of errors', 'Fehleranzahl', float],
  ],
};

/** All standard attributes: those that an import may define, and those of the demo. */
export const STANDARD_ATTRIBUTES: readonly StandardAttribute[] = (Object.keys(ROWS) as AttributeOwner[]).flatMap((entity) =>
  ROWS[entity].map(([key, en, de, kind]) => ({ key, entity, names: { en, de }, ...kind })),
);

/** A catalog that a new plant gets and no attribute refers to: its name, and the texts of its first entries. */
export interface StandardCatalog {
  /** Attribute of its entries. */
  readonly attribute: number;
  readonly names: StandardNames;
  readonly entries: readonly StandardNames[];
}

/** Causes that notes and alarms name. */
export const STANDARD_CAUSES: StandardCatalog = {
  attribute: CAUSE_ATTRIBUTE,
  names: { en: 'Causes', de: 'Ursachen' },
  entries: [
    { en: 'Tool worn', de: 'Werkzeug verschlissen' },
    { en: 'Tool broken', de: 'Werkzeug gebrochen' },
    { en: 'Tool changed', de: 'Werkzeug gewechselt' },
    { en: 'Machine adjusted', de: 'Maschine nachgestellt' },
    { en: 'Machine fault', de: 'Maschine gestört' },
    { en: 'Clamping or fixture', de: 'Spannung oder Vorrichtung' },
    { en: 'Material or batch', de: 'Material oder Charge' },
    { en: 'Temperature', de: 'Temperatur' },
    { en: 'Dirt or chips', de: 'Schmutz oder Späne' },
    { en: 'Operating error', de: 'Bedienfehler' },
    { en: 'Measuring error', de: 'Messfehler' },
    { en: 'Gauge defective', de: 'Messmittel defekt' },
    { en: 'Other cause', de: 'Andere Ursache' },
  ],
};

/** Actions that alarms name. */
export const STANDARD_ACTIONS: StandardCatalog = {
  attribute: ACTION_ATTRIBUTE,
  names: { en: 'Actions', de: 'Maßnahmen' },
  entries: [
    { en: 'Tool changed', de: 'Werkzeug gewechselt' },
    { en: 'Tool corrected', de: 'Werkzeug korrigiert' },
    { en: 'Machine adjusted', de: 'Maschine nachgestellt' },
    { en: 'Machine repaired', de: 'Maschine instand gesetzt' },
    { en: 'Clamped again', de: 'Neu gespannt' },
    { en: 'Cleaned', de: 'Gereinigt' },
    { en: 'Material changed', de: 'Material gewechselt' },
    { en: 'Measured again', de: 'Nachgemessen' },
    { en: 'Gauge checked', de: 'Messmittel geprüft' },
    { en: 'Parts blocked', de: 'Teile gesperrt' },
    { en: 'Parts sorted', de: 'Teile sortiert' },
    { en: 'Operator instructed', de: 'Bediener unterwiesen' },
    { en: 'No action needed', de: 'Keine Maßnahme nötig' },
  ],
};

/** Catalogs that no attribute refers to, by the attribute of their entries. */
export const STANDARD_ENTRY_CATALOGS: ReadonlyMap<number, StandardCatalog> = new Map(
  [STANDARD_CAUSES, STANDARD_ACTIONS].map((catalog) => [catalog.attribute, catalog]),
);
