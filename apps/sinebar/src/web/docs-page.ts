/** Makes the HTML page; it loads files from `/docs` only. @param base path below which clients see the server, without a trailing slash */
export const page = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sinebar API</title>
    <link rel="stylesheet" href="${base}/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="${base}/docs/favicon-32x32.png" sizes="32x32">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}/docs/swagger-ui-bundle.js"></script>
    <script src="${base}/docs/swagger-ui-standalone-preset.js"></script>
    <script src="${base}/docs/page.js"></script>
  </body>
</html>
`;

/**
 * Shows the document of each service; sends nothing to a validator and stores no credentials.
 * The name replaces the logo component of Swagger UI, whose inline style the content security policy forbids.
 */
export const script = (base: string) => `window.ui = SwaggerUIBundle({
  urls: [
    { name: 'Inspection plan and measurements', url: '${base}/dataServiceRest/openapi.json' },
    { name: 'Files', url: '${base}/rawDataServiceRest/openapi.json' },
    { name: 'Events', url: '${base}/eventServiceRest/openapi.json' },
  ],
  dom_id: '#swagger-ui',
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [({ React }) => ({ components: { Logo: () => React.createElement('span', null, 'Sinebar') } })],
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;
