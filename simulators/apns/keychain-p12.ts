import { createPrivateKey, randomBytes } from 'node:crypto';
import forge from 'node-forge';

type Asn1 = forge.asn1.Asn1;

const { Class, Type } = forge.asn1;
const OID = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  keyBag: '1.2.840.113549.1.12.10.1.2',
  x509: '1.2.840.113549.1.9.22.1',
  rc2: '1.2.840.113549.1.12.1.6',
  tripleDes: '1.2.840.113549.1.12.1.3',
  sha1: '1.3.14.3.2.26',
};
const ITERATIONS = 2048;
const MAC_ITERATIONS = 1; // the default in the format, so the field is omitted from the file
const SALT_BYTES = 8;
const PURPOSE = { key: 1, iv: 2, mac: 3 };

/**
 * Creates a p12 file like an export from Apple's Keychain. The certificate is encrypted with 40-bit RC2 and the key
 * with 3DES; the MAC uses SHA-1. OpenSSL 3 reads this format only with its legacy provider, and Node cannot read it.
 * PKCS #12 is specified in RFC 7292.
 */
export function createKeychainP12(certificate: forge.pki.Certificate, keyPem: string, passphrase: string): Buffer {
  const certificateDer = toDer(forge.pki.certificateToAsn1(certificate));
  const keyDer = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' }).toString('latin1');
  const safe = toDer(
    sequence(
      sequence(oid(OID.encryptedData), explicit(encryptCertificate(certificateDer, passphrase))),
      sequence(oid(OID.data), explicit(octets(toDer(encryptKey(keyDer, passphrase))))),
    ),
  );
  const version = integer(3);
  const authSafe = sequence(oid(OID.data), explicit(octets(safe)));
  return Buffer.from(toDer(sequence(version, authSafe, macOf(safe, passphrase))), 'latin1');
}

function encryptCertificate(der: string, passphrase: string): Asn1 {
  const bag = sequence(oid(OID.certificateBag), explicit(sequence(oid(OID.x509), explicit(octets(der)))));
  const salt = newSalt();
  const key = derive(passphrase, salt, PURPOSE.key, ITERATIONS, 5);
  const cipher = forge.rc2.createEncryptionCipher(key, 40);
  cipher.start(derive(passphrase, salt, PURPOSE.iv, ITERATIONS, 8));
  cipher.update(forge.util.createBuffer(toDer(sequence(bag))));
  cipher.finish();
  const encrypted = forge.asn1.create(Class.CONTEXT_SPECIFIC, 0, false, cipher.output.getBytes());
  return sequence(integer(0), sequence(oid(OID.data), algorithm(OID.rc2, salt), encrypted));
}

function encryptKey(der: string, passphrase: string): Asn1 {
  const salt = newSalt();
  const key = derive(passphrase, salt, PURPOSE.key, ITERATIONS, 24);
  const cipher = forge.cipher.createCipher('3DES-CBC', key);
  cipher.start({ iv: derive(passphrase, salt, PURPOSE.iv, ITERATIONS, 8) });
  cipher.update(forge.util.createBuffer(der));
  cipher.finish();
  const encrypted = sequence(algorithm(OID.tripleDes, salt), octets(cipher.output.getBytes()));
  return sequence(sequence(oid(OID.keyBag), explicit(encrypted)));
}

function macOf(safe: string, passphrase: string): Asn1 {
  const salt = newSalt();
  const mac = forge.hmac.create();
  mac.start('sha1', derive(passphrase, salt, PURPOSE.mac, MAC_ITERATIONS, 20));
  mac.update(safe);
  const nullValue = forge.asn1.create(Class.UNIVERSAL, Type.NULL, false, '');
  return sequence(sequence(sequence(oid(OID.sha1), nullValue), octets(mac.getMac().getBytes())), octets(salt));
}

function derive(passphrase: string, salt: string, purpose: number, rounds: number, bytes: number): string {
  return forge.pkcs12.generateKey(passphrase, forge.util.createBuffer(salt), purpose, rounds, bytes).getBytes();
}

const newSalt = () => randomBytes(SALT_BYTES).toString('latin1');
const toDer = (value: Asn1) => forge.asn1.toDer(value).getBytes();
const sequence = (...items: Asn1[]) => forge.asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, items);
const explicit = (item: Asn1) => forge.asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [item]);
const octets = (bytes: string) => forge.asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
const oid = (name: string) => forge.asn1.create(Class.UNIVERSAL, Type.OID, false, forge.asn1.oidToDer(name).getBytes());
const integer = (value: number) =>
  forge.asn1.create(Class.UNIVERSAL, Type.INTEGER, false, forge.asn1.integerToDer(value).getBytes());
const algorithm = (name: string, salt: string) => sequence(oid(name), sequence(octets(salt), integer(ITERATIONS)));
