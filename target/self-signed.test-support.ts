import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { listenUntilTestEnds } from './servers.test-support.ts';

/** A certificate for 127.0.0.1 that only its own key has signed. Nothing trusts it, and its key is no secret. */
export const selfSignedCertificate = `-----BEGIN CERTIFICATE-----
MIIBUTCB+aADAgECAgEBMAoGCCqGSM49BAMCMB8xHTAbBgNVBAMTFGxpdmVzdHJl
YW0tbW9jayB0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAf
MR0wGwYDVQQDExRsaXZlc3RyZWFtLW1vY2sgdGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABCeqscNmnQXSbTCP4Ky8JK7PCHAdYEvjTva6J+Ljmd1koeRpkvvA
NK08yHjYCG+4uxf6yqekLPMBze5N1eZJjSujJDAiMA8GA1UdEQQIMAaHBH8AAAEw
DwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiABh1IgXguEK6NvuP+L
AW6fPXVb2/zIGi/05Chi3ub1UgIgdV/0dNpP3mlJsawhmvc8cidGcfnok2NX4uYZ
UMLFMzo=
-----END CERTIFICATE-----
`;

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrWWLmTPRBlZmFGn0
MqhejjAYnLncEjYH9fW988rfWimhRANCAAQnqrHDZp0F0m0wj+CsvCSuzwhwHWBL
4072uifi45ndZKHkaZL7wDStPMh42AhvuLsX+sqnpCzzAc3uTdXmSY0r
-----END PRIVATE KEY-----
`;

/** Serves a handler over TLS with the certificate above, until the test ends; resolves to its origin. */
export async function serveSelfSigned(handler: RequestListener): Promise<string> {
  const server = createServer({ key, cert: selfSignedCertificate }, handler);
  const { origin } = await listenUntilTestEnds(server);
  return origin.replace('http:', 'https:');
}
