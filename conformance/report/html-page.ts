import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';

/** A piece of HTML, SVG or XML in which all text is escaped. */
export type Markup = ReturnType<typeof html>;

/** An HTML page that loads nothing, sends nothing, and runs no scripts. */
export function htmlPage(title: string, style: string, body: Markup): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
${body}
</html>
`);
}
