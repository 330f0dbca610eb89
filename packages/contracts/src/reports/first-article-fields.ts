/** A field of forms 1 and 2 of AS9102 Rev C; 0074 names the sources of their numbers. */
export interface FirstArticleField {
  /** Name of the member that holds what is typed. */
  readonly name: string;
  readonly form: 1 | 2;
  /** Number of the field on its form. */
  readonly number: string;
  readonly names: { readonly en: string; readonly de: string };
  /** Attribute of the part that holds it, where there is one. */
  readonly key?: number;
}

const field = (form: 1 | 2, number: string, name: string, en: string, de: string, key?: number): FirstArticleField => ({
  name,
  form,
  number,
  names: { en, de },
  ...(key !== undefined && { key }),
});

/**
 * Fields that are printed, in their order; what no attribute holds is typed once for a part.
 * Fields 15 to 18 of form 1 list the components of an assembly, one a line.
 */
export const FIRST_ARTICLE_FIELDS: readonly FirstArticleField[] = [
  field(1, '1', 'partNumber', 'Part number', 'Teilenummer', 1001),
  field(1, '2', 'partName', 'Part name', 'Teilebezeichnung', 1002),
  field(1, '3', 'serialNumber', 'Serial number', 'Seriennummer'),
  field(1, '4', 'reportNumber', 'FAIR identifier', 'Nummer des Berichts'),
  field(1, '5', 'partRevision', 'Part revision level', 'Änderungsstand des Teils', 1004),
  field(1, '6', 'drawingNumber', 'Drawing number', 'Zeichnungsnummer', 1041),
  field(1, '7', 'drawingRevision', 'Drawing revision level', 'Änderungsstand der Zeichnung', 1042),
  field(1, '8', 'additionalChanges', 'Additional changes', 'Weitere Änderungen'),
  field(1, '9', 'processReference', 'Manufacturing process reference', 'Fertigungsunterlagen'),
  field(1, '10', 'organization', 'Organization name', 'Unternehmen', 1022),
  field(1, '11', 'supplierCode', 'Supplier code', 'Lieferantennummer', 1072),
  field(1, '12', 'purchaseOrder', 'Purchase order number', 'Bestellnummer', 1053),
  field(1, '13', 'partOrAssembly', 'Detail or assembly FAI', 'Einzelteil oder Baugruppe'),
  field(1, '14', 'fullOrPartial', 'Full or partial FAI', 'Vollständig oder teilweise'),
  field(1, '14', 'baseline', 'Baseline part number and reason for partial inspection', 'Bezugsteil und Grund der Teilprüfung'),
  field(1, '15', 'indexOfParts', 'Part number of each component', 'Teilenummer jedes Bestandteils'),
  field(1, '16', 'indexOfPartNames', 'Part name of each', 'Bezeichnung dazu'),
  field(1, '17', 'indexOfPartTypes', 'Part type of each', 'Art dazu'),
  field(1, '18', 'indexOfReports', 'FAIR identifier of each', 'Nummer des Berichts dazu'),
  field(
    1,
    '19',
    'nonconformance',
    'Does the FAIR contain a documented nonconformance?',
    'Enthält der Bericht eine dokumentierte Abweichung?',
  ),
  field(1, '20', 'verifiedBy', 'FAIR verified by', 'Geprüft von'),
  field(1, '21', 'verifiedDate', 'Date', 'Datum'),
  field(1, '22', 'approvedBy', 'FAIR reviewed and approved by', 'Freigegeben von'),
  field(1, '23', 'approvedDate', 'Date', 'Datum'),
  field(1, '24', 'customerApproval', 'Customer approval', 'Freigabe des Kunden'),
  field(1, '25', 'customerDate', 'Date', 'Datum'),
  field(1, '26', 'comments', 'Comments', 'Bemerkungen', 1900),
  field(2, '5', 'material', 'Material or process name', 'Werkstoff oder Prozess', 1032),
  field(2, '6', 'materialSpecification', 'Specification number', 'Norm'),
  field(2, '7', 'materialCode', 'Code', 'Kennung'),
  field(2, '8', 'materialSupplier', 'Supplier', 'Lieferant'),
  field(2, '9', 'materialApproval', 'Customer approval verification', 'Nachweis der Freigabe'),
  field(2, '10', 'materialCertificate', 'Certificate of conformance number', 'Nummer des Zeugnisses'),
  field(2, '11', 'functionalTest', 'Functional test procedure number', 'Funktionsprüfung'),
  field(2, '12', 'acceptanceReport', 'Acceptance report number', 'Abnahmebericht'),
  field(2, '13', 'materialComments', 'Comments', 'Bemerkungen'),
];
