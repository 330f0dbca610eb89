import { defineTexts } from '../../design/language/language';

/** Texts of what stands around a content, whatever its kind. */
export const texts = defineTexts({
  en: {
    loading: (read: string, size: string) => `${read} of ${size} read`,
    loadingUnknown: (read: string) => `${read} read`,
    progress: (name: string) => `Reading ${name}`,
    cancel: 'Cancel',
    large: (size: string) => `This file has ${size} and is not read by itself.`,
    largeUnknown: 'This file is large and is not read by itself.',
    load: 'Show it anyway',
    tooLarge: (size: string, limit: string) => `This file has ${size}; the page shows files of up to ${limit}. Download it to see it.`,
    empty: 'This file is empty.',
    noViewer: 'This kind of file cannot be shown in the page; download it to see it.',
    binary: 'This is no text; download it to see it.',
    part: (shown: string, size: string) => `The first ${shown} of ${size} are shown; download the file to see the rest.`,
    partUnknown: (shown: string) => `The first ${shown} are shown; download the file to see the rest.`,
    rows: (rows: string, columns: string) =>
      `${rows} ${rows === '1' ? 'row' : 'rows'}, ${columns} ${columns === '1' ? 'column' : 'columns'}`,
    shownColumns: (count: string) => `The first ${count} columns are shown.`,
    row: 'Row',
    tableOf: (name: string) => `Rows of ${name}`,
    pictureSize: (width: string, height: string) => `${width} × ${height} pixels`,
    brokenPicture:
      'The browser cannot show this picture: it is damaged, too large, or of a kind that browsers do not know. Download it to see it.',
    cutPicture: 'This picture is damaged: its end is missing. Store the file again from where it came.',
    smallPicture: 'The browser cannot show this kind of picture; this is the smaller copy of the server.',
    fit: 'Fit',
    larger: 'Larger',
    smaller: 'Smaller',
    zoom: 'Size',
    failed: 'This content could not be shown. Close it and open it again, or download the file.',
  },
  de: {
    loading: (read: string, size: string) => `${read} von ${size} gelesen`,
    loadingUnknown: (read: string) => `${read} gelesen`,
    progress: (name: string) => `${name} wird gelesen`,
    cancel: 'Abbrechen',
    large: (size: string) => `Diese Datei hat ${size} und wird nicht von selbst gelesen.`,
    largeUnknown: 'Diese Datei ist groß und wird nicht von selbst gelesen.',
    load: 'Trotzdem zeigen',
    tooLarge: (size: string, limit: string) =>
      `Diese Datei hat ${size}; die Seite zeigt Dateien bis ${limit}. Laden Sie sie herunter, um sie zu sehen.`,
    empty: 'Diese Datei ist leer.',
    noViewer: 'Diese Art von Datei lässt sich in der Seite nicht zeigen; laden Sie sie herunter, um sie zu sehen.',
    binary: 'Das ist kein Text; laden Sie die Datei herunter, um sie zu sehen.',
    part: (shown: string, size: string) =>
      `Die ersten ${shown} von ${size} sind zu sehen; laden Sie die Datei herunter, um den Rest zu sehen.`,
    partUnknown: (shown: string) => `Die ersten ${shown} sind zu sehen; laden Sie die Datei herunter, um den Rest zu sehen.`,
    rows: (rows: string, columns: string) =>
      `${rows} ${rows === '1' ? 'Zeile' : 'Zeilen'}, ${columns} ${columns === '1' ? 'Spalte' : 'Spalten'}`,
    shownColumns: (count: string) => `Die ersten ${count} Spalten sind zu sehen.`,
    row: 'Zeile',
    tableOf: (name: string) => `Zeilen von ${name}`,
    pictureSize: (width: string, height: string) => `${width} × ${height} Pixel`,
    brokenPicture:
      'Der Browser kann dieses Bild nicht zeigen: Es ist beschädigt, zu groß oder von einer Art, die Browser nicht kennen. Laden Sie es herunter, um es zu sehen.',
    cutPicture: 'Dieses Bild ist beschädigt: Sein Ende fehlt. Speichern Sie die Datei noch einmal von dort, wo sie herkommt.',
    smallPicture: 'Der Browser kann diese Art von Bild nicht zeigen; das ist die kleinere Kopie des Servers.',
    fit: 'Einpassen',
    larger: 'Größer',
    smaller: 'Kleiner',
    zoom: 'Größe',
    failed: 'Dieser Inhalt ließ sich nicht zeigen. Schließen und öffnen Sie ihn noch einmal, oder laden Sie die Datei herunter.',
  },
});
