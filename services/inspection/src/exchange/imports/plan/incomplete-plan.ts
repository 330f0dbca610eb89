/** The server lacks a part, a characteristic or an entry of a catalog of the file, and this transaction may not create it. */
export class IncompletePlan extends Error {
  constructor() {
    super('the plan lacks something of the file');
  }
}
