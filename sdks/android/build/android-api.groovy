// Finds calls of Android APIs that are not public, or newer than the oldest supported Android without a check of
// `Build.VERSION.SDK_INT`. Android's classes on the class path contain both, so the compiler accepts them. The public APIs
// are in signature files, of some versions only: an API that first appears in the file of version 34, after one of
// version 23, needs a check for at least version 24. A method with the annotation RequiresApi may call newer APIs, and
// its callers need the check instead.
import org.codehaus.mojo.animal_sniffer.SignatureChecker
import org.objectweb.asm.ClassReader
import org.objectweb.asm.Handle
import org.objectweb.asm.Opcodes
import org.objectweb.asm.tree.*

def folder = new File(project.build.outputDirectory)
if (!new File(project.basedir, 'src/main/AndroidManifest.xml').exists() || !folder.exists()) return

def own = [:]
folder.eachFileRecurse { file ->
    if (!file.name.endsWith('.class')) return
    def node = new ClassNode()
    new ClassReader(file.bytes).accept(node, ClassReader.SKIP_FRAMES)
    own[node.name] = node
}

def minSdk = project.properties['android.min-sdk'] as int
def signatures = new TreeMap()
project.artifacts.findAll { it.type == 'signature' }.each { artifact ->
    def level = (artifact.artifactId =~ /(\d+)$/)[0][1] as int
    artifact.file.withInputStream { signatures[level] = SignatureChecker.loadClasses(it) }
}
def levels = signatures.keySet() as List
assert levels.first() == minSdk
def newestKnown = levels.last()

def required
/** Returns whether a class of Android, or one that it inherits from, has the member. */
def hasMember
hasMember = { classes, owner, member ->
    def clazz = classes[owner]
    if (clazz == null) return false
    if (member == null || member in clazz.signatures) return true
    ([clazz.superClass] + (clazz.superInterfaces as List)).any { it != null && hasMember(classes, it, member) }
}
def isAndroid = { it ==~ '(android|dalvik|java|javax|libcore|sun|com/android|org/(json|w3c|xml|xmlpull))/.+' && !it.startsWith('android/support/') }

/** Returns the value of RequiresApi, or null. */
def annotated = { node ->
    def all = (node.visibleAnnotations ?: []) + (node.invisibleAnnotations ?: [])
    def values = all.find { it.desc.endsWith('/RequiresApi;') }?.values
    values ? values.collate(2).collect { it[1] }.max() : null
}

/** Returns the oldest version of Android that has the member. A null member means the class itself. */
required = { String owner, String member ->
    if (owner.startsWith('[')) return minSdk
    def node = own[owner]
    if (node == null) {
        if (!isAndroid(owner)) return minSdk
        def index = levels.findIndexOf { hasMember(signatures[it], owner, member) }
        return index < 0 ? Integer.MAX_VALUE : index == 0 ? minSdk : levels[index - 1] + 1
    }
    if (member == null) return annotated(node) ?: minSdk
    def method = node.methods.find { it.name + it.desc == member }
    if (method) return annotated(method) ?: minSdk
    if (node.fields.any { "${it.name}#${it.desc}" == member }) return minSdk
    ([node.superName] + node.interfaces).collect { required(it, member) }.min()
}

def constant = { instruction ->
    if (instruction instanceof IntInsnNode) return instruction.operand
    if (instruction instanceof LdcInsnNode && instruction.cst instanceof Integer) return instruction.cst
    null
}
def isSdkInt = { it instanceof FieldInsnNode && it.owner == 'android/os/Build$VERSION' && it.name == 'SDK_INT' }
def previous = { instruction ->
    def before = instruction.previous
    while (before != null && before.opcode < 0) before = before.previous
    before
}

/** Boolean fields that keep the result of a comparison of SDK_INT, with the version that `true` guarantees. */
def versionFields = [:]
own.values().each { node ->
    node.methods.each { method ->
        method.instructions.findAll { it.opcode in [Opcodes.PUTFIELD, Opcodes.PUTSTATIC] && it.desc == 'Z' }.each { put ->
            def before = [put]
            6.times { before << (before.last() == null ? null : previous(before.last())) }
            def (_, zero, jump, one, comparison, right, left) = before
            if (!isSdkInt(left) || constant(right) == null || comparison.opcode != Opcodes.IF_ICMPLT) return
            if (one.opcode != Opcodes.ICONST_1 || jump.opcode != Opcodes.GOTO || zero.opcode != Opcodes.ICONST_0) return
            versionFields["${put.owner}.${put.name}".toString()] = constant(right)
        }
    }
}

/** Returns the versions that a comparison of SDK_INT guarantees, as a pair: after a jump, and without it. */
def guarantees = { JumpInsnNode jump, int level ->
    def right = previous(jump)
    def field = right instanceof FieldInsnNode ? versionFields["${right.owner}.${right.name}".toString()] : null
    if (field && jump.opcode == Opcodes.IFEQ) return [level, Math.max(level, field)]
    if (field && jump.opcode == Opcodes.IFNE) return [Math.max(level, field), level]
    def left = right == null ? null : previous(right)
    if (!isSdkInt(left) || constant(right) == null) return [level, level]
    def n = constant(right)
    switch (jump.opcode) {
        case Opcodes.IF_ICMPLT: return [level, Math.max(level, n)]
        case Opcodes.IF_ICMPLE: return [level, Math.max(level, n + 1)]
        case Opcodes.IF_ICMPGE: return [Math.max(level, n), level]
        case Opcodes.IF_ICMPGT: return [Math.max(level, n + 1), level]
        default: return [level, level]
    }
}

def errors = [] as TreeSet
def checkMethod
checkMethod = { ClassNode node, MethodNode method, int start ->
    def instructions = method.instructions
    if (instructions.size() == 0) return
    def known = new Integer[instructions.size()]
    def open = new ArrayDeque()
    def reach = { AbstractInsnNode instruction, int level ->
        if (instruction == null) return
        def i = instructions.indexOf(instruction)
        if (known[i] != null && known[i] <= level) return
        known[i] = level
        open.add(instruction)
    }
    reach(instructions.first, start)
    method.tryCatchBlocks.each { block -> reach(block.handler, start) }
    while (!open.empty) {
        def instruction = open.poll()
        def level = known[instructions.indexOf(instruction)]
        if (instruction instanceof JumpInsnNode) {
            def (jumped, fell) = guarantees(instruction, level)
            reach(instruction.label, jumped)
            if (instruction.opcode != Opcodes.GOTO) reach(instruction.next, fell)
        } else if (instruction instanceof TableSwitchInsnNode || instruction instanceof LookupSwitchInsnNode) {
            (instruction.labels + [instruction.dflt]).each { reach(it, level) }
        } else if (!(instruction.opcode in Opcodes.IRETURN..Opcodes.RETURN) && instruction.opcode != Opcodes.ATHROW) {
            reach(instruction.next, level)
        }
    }
    def line = 0
    def check = { String owner, String member, int level ->
        def version = required(owner, member)
        if (version <= level) return
        def name = "${owner}${member ? ".${member}" : ''}"
        errors << (version == Integer.MAX_VALUE
            ? "${node.name}:${line} uses ${name}, which is not in the public API of Android (up to ${newestKnown})"
            : "${node.name}:${line} uses ${name}, which needs API ${version} or newer, but only ${level} is checked")
    }
    instructions.each { instruction ->
        if (instruction instanceof LineNumberNode) line = instruction.line
        def level = known[instructions.indexOf(instruction)]
        if (level == null) return
        if (instruction instanceof MethodInsnNode) check(instruction.owner, instruction.name + instruction.desc, level)
        if (instruction instanceof FieldInsnNode) check(instruction.owner, "${instruction.name}#${instruction.desc}", level)
        if (instruction instanceof TypeInsnNode) check(instruction.desc, null, level)
        if (instruction instanceof InvokeDynamicInsnNode) {
            instruction.bsmArgs.findAll { it instanceof Handle }.each { handle ->
                // The compiler moves the code of a lambda to a synthetic method. It has the guarantees of its creation.
                def lambda = handle.owner != node.name ? null : node.methods.find {
                    it.name == handle.name && it.desc == handle.desc && (it.access & Opcodes.ACC_SYNTHETIC)
                }
                def separator = handle.desc.startsWith('(') ? '' : '#'
                lambda ? checkMethod(node, lambda, level) : check(handle.owner, handle.name + separator + handle.desc, level)
            }
        }
    }
}
own.values().each { node ->
    def level = annotated(node) ?: minSdk
    ([node.superName] + node.interfaces).each { parent ->
        if (required(parent, null) > level) errors << "${node.name} inherits from ${parent}, which needs a newer API"
    }
    def isLambda = { (it.access & Opcodes.ACC_SYNTHETIC) && it.name.contains('$lambda') }
    node.methods.findAll { !isLambda(it) }.each { checkMethod(node, it, annotated(it) ?: level) }
}
if (errors) throw new IllegalStateException("${project.artifactId} uses APIs that some phones lack:\n${errors.join('\n')}")
log.info("${own.size()} classes use only public APIs that each supported Android has, or check the version.")
