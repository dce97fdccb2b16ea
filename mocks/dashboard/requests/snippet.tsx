import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { toCurl } from '../../../curl.ts';
import { Copy } from '../parts/copy.tsx';
import type { CompleteRequest } from './replay.ts';
import { Text } from './text.tsx';

const languages = { curl: writeCurl, fetch: writeFetch } as const;

type Language = keyof typeof languages;

interface SnippetProps {
  readonly request: CompleteRequest;
  /** The same as the screen shows it: a secret key is only copied. */
  readonly shown: CompleteRequest;
}

/** A request as code. */
export function Snippet({ request, shown }: SnippetProps): VNode {
  const language = useSignal<Language>('curl');
  const write = languages[language.value];
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
        <Copy name={name} text={write(request)} label={`Copy ${name}`} />
      </div>
      <Text label="Code">{write(shown)}</Text>
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
