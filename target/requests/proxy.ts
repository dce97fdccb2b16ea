import type { AgentOptions } from 'node:http';

const { env, versions } = process;

/** The variables that name a proxy. Programs read either letter case. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'] as const;

/**
 * Options of an agent that lets Node send its requests through the proxy that the environment names, if a user asked
 * Node to use one. Node does so by itself only for its own agents; before version 24.5 it ignores the option.
 */
export const proxyOptions: AgentOptions & { readonly proxyEnv?: NodeJS.ProcessEnv } =
  env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: env } : {};

/** That the proxy of the environment is not used, and what to do, in a sentence; empty if there is none to use. */
export function explainProxy(baseUrl: string): string[] {
  const variable = proxyVariables.find((name) => env[name]);
  if (variable === undefined || isLoopback(new URL(baseUrl).hostname)) return [];
  const [major = 0, minor = 0] = versions.node.split('.').map(Number);
  const isSupported = major > 24 || (major === 24 && minor >= 5);
  if (isSupported && env['NODE_USE_ENV_PROXY'] === '1') return [];
  const node = isSupported ? '' : ' and run Node 24.5 or newer';
  return [`The proxy in ${variable} was not used: set NODE_USE_ENV_PROXY=1${node} to use it.`];
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
