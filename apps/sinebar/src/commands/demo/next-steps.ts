import { CHARACTERISTICS, DOOR_PATH, PARTS } from './plan.ts';

/** Returns lines about what to try with the demo; `secured`: a sign-in is required. */
export function nextSteps(url: string, secured: boolean): string {
  const [door] = PARTS;
  const [gap] = CHARACTERISTICS;
  const path = encodeURIComponent(DOOR_PATH);
  const curl = secured ? 'curl -sgu "$SINEBAR_USER:$SINEBAR_PASSWORD"' : 'curl -sg';
  return [
    'Try next:',
    `  the parts            ${curl} "${url}/dataServiceRest/parts?partPath=${path}"`,
    `  limits of gaps       ${curl} "${url}/dataServiceRest/characteristics?partPath=${path}&depth=1"`,
    `  the newest values    ${curl} "${url}/dataServiceRest/values?partPath=${path}&limitResult=5"`,
    `  one control chart    ${curl} "${url}/dataServiceRest/values?partPath=${path}&limitResult=-1&order=4%20asc&characteristicUuids={${gap?.uuid}}"`,
    `  in and out of limits ${curl} "${url}/dataServiceRest/measurements?partPath=${path}&limitResult=5&statistics=Simple"`,
    `  a picture            ${curl} "${url}/rawDataServiceRest/rawData/part/${door?.uuid}/0" -o door.png`,
    `  inside an archive    ${curl} "${url}/rawDataServiceRest/rawData/part/${door?.uuid}/1/ArchiveEntries"`,
    `  every request        ${url}/docs in a browser`,
    '  programs             docs/guides: curl, Python, JavaScript and C#, a page for each task',
  ].join('\n');
}
