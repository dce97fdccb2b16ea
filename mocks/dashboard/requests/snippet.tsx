import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { toCurl } from '../../../curl.ts';
import { hiddenKey } from '../../journal/hide-secrets.ts';
import { Copy } from '../parts/copy.tsx';
import { api } from '../state/connection.ts';
import { isShown } from '../state/page.ts';
import type { CompleteRequest } from './replay.ts';

const languages = { curl: writeCurl, fetch: writeFetch } as const;

type Language = keyof typeof languages;

/** A request as code. A secret key is copied, but not shown. */
export function Snippet({ request }: { readonly request: CompleteRequest }): VNode {
  const language = useSignal<Language>('curl');
  const { apiKey } = api.value;
  const code = languages[language.value](request);
  const name = `as ${language}${request.hasKey ? '' : ' without the key'}`;
  return (
    <div>
      <div class="inline">
        <h3>Code</h3>
        {(Object.keys(languages) as Language[]).map((choice) => (
          <button
            key={choice}
            type="button"
            class="small"
            aria-pressed={choice === language.value}
            onClick={() => {
              language.value = choice;
            }}
          >
            {choice}
          </button>
        ))}
        <Copy name={name} text={code} label={`Copy ${name}`} />
      </div>
      <pre class="code">{isShown(apiKey) ? code : code.replaceAll(apiKey, hiddenKey)}</pre>
    </div>
  );
}

function writeCurl({ headers, ...request }: CompleteRequest): string {
  return toCurl({ ...request, headers: new Headers(headers.map(([...header]) => header)) });
}

function writeFetch({ method, url, headers, body }: CompleteRequest): string {
  const options = { method, headers: Object.fromEntries(headers), body };
  return `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(options, null, 2)});`;
}
