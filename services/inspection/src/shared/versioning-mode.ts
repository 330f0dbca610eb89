/** Whether earlier states of the plan are kept: never, always, or as each request says (spec: inspection-service.md, Versioning). */
export type VersioningMode = 'off' | 'on' | 'client';
