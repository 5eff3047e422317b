import { Command } from 'commander'

interface VerifyFlags {
  readonly checkpoints?: string
  readonly expect?: string
  readonly publicKey?: string
}

/** Proof of the audit trail, without a database and without the platform that wrote it. */
export function auditCommand(): Command {
  const command = new Command('audit').description('Prove an export of the audit trail.')
  return command.addCommand(verifyCommand().copyInheritedSettings(command))
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Prove an export of GET /api/v1/audit/export offline; exit 1 names what is wrong.')
    .argument('<file>', 'the export, JSON lines; - reads standard input')
    .option('--checkpoints <file>', 'signed checkpoints from outside the database, JSON lines')
    .option('--expect <checkpoint>', 'what it must reach: <seq>:<hash>, or a checkpoint as JSON')
    .option('--public-key <file>', 'public key of the checkpoints (audit-checkpoint.pub.pem)')
    .action(async (file: string, flags: VerifyFlags) => {
      const { verifyFile } = await import('../verify-file.ts')
      process.stdout.write(`${await verifyFile(file, flags)}\n`)
    })
}
