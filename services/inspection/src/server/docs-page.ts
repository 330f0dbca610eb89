/** The HTML page; it loads files from `/docs` only. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sinebar API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" sizes="32x32">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

/**
 * Shows the document of each service; sends nothing to a validator and stores no credentials.
 * The name replaces the logo component of Swagger UI, whose inline style the content security policy forbids.
 */
export const SCRIPT = `window.ui = SwaggerUIBundle({
  urls: [
    { name: 'Inspection plan and measurements', url: '/dataServiceRest/openapi.json' },
    { name: 'Files', url: '/rawDataServiceRest/openapi.json' },
    { name: 'Events', url: '/eventServiceRest/openapi.json' },
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
