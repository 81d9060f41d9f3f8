import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
const inMinutes = (minutes: number) => (minutes === 1 ? "dentro de un minuto" : `dentro de ${minutes} minutos`);

export const es: Texts = {
  language: "es",
  languageName: "Español",
  skipToContent: "Ir al contenido",
  plan: { standard: "plan Estándar", advanced_attribution: "plan Atribución avanzada" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.es["responses:read"],
      does: "Todas las respuestas de su clientela, pasadas y futuras.",
      personalData: "los correos electrónicos y los pedidos de su clientela",
      doesNot: "La aplicación no puede cambiar ni borrar nada.",
    },
    "sources:write": {
      title: SCOPE_TITLES.es["sources:write"],
      does: "Fuentes nuevas, como pódcast o canales, a las que se pueden atribuir respuestas.",
      personalData: null,
      doesNot: "La aplicación no puede quitar ninguna fuente.",
    },
  },
  frame: {
    language: "Idioma",
    help: "Ayuda",
    privacy: "Privacidad",
    terms: "Condiciones",
    account: "Cuenta",
    partner: "Páginas de socios",
    error: "Error:",
    outOfDate: "Esta página no estaba actualizada y no se cambió nada. Inténtelo otra vez.",
  },
  signIn: {
    title: "Iniciar sesión",
    lead: (app) =>
      app
        ? html`${app} pide conectarse con su tienda. Inicie sesión para ver qué pide. No se comparte nada antes de que usted lo apruebe.`
        : html`Inicie sesión para ver y gestionar las aplicaciones conectadas con sus tiendas.`,
    email: "Correo electrónico",
    password: "Contraseña",
    wrong: "El correo electrónico o la contraseña no son correctos. Inténtelo de nuevo.",
    paused: "Su cuenta está suspendida: nadie puede iniciar sesión con ella.",
    tooManyAttempts: (minutes) => `Demasiados intentos de iniciar sesión. Inténtelo de nuevo ${inMinutes(minutes)}.`,
    outOfDate: "Esta página no estaba al día y no se ha enviado nada. Inicie sesión de nuevo.",
    sessionEnded: "Su sesión ha terminado. No se ha compartido nada. Inicie sesión de nuevo.",
    signedOut: "Ha cerrado la sesión.",
    signedOutEverywhere: "Ha cerrado la sesión en todas partes.",
    passwordChanged: "Su nueva contraseña está guardada. Inicie sesión con ella.",
    forgot: "¿Ha olvidado su contraseña?",
    decline: (app) => html`No conectar ${app}`,
    safety: (product, host) =>
      html`Se trata de su cuenta de ${product}, y está en ${host}. Escriba su contraseña solo en esta página. Una aplicación nunca la necesita.`,
    openId: {
      button: (provider) => html`Continuar con ${provider}`,
      tryAgain: "Intentar de nuevo",
      another: (provider) => html`Usar otra cuenta de ${provider}`,
      back: "Volver al inicio de sesión",
      problem: {
        unavailable: {
          title: (provider) => `${provider} no responde`,
          lead: (provider) =>
            html`No hemos podido contactar con ${provider}, o no hemos entendido su respuesta. No se ha perdido ni compartido nada. Inténtelo de nuevo dentro de un minuto.`,
        },
        cancelled: {
          title: () => "No ha iniciado sesión",
          lead: (provider) => html`Ha interrumpido el inicio de sesión en ${provider}. No se ha compartido nada.`,
        },
        ended: {
          title: () => "Este inicio de sesión ha terminado",
          lead: () => html`Ya se ha usado, ha tardado demasiado o empezó en otro navegador. Empiece de nuevo.`,
        },
        no_account: {
          title: () => "No hay ninguna cuenta con esta dirección",
          lead: (provider, email) =>
            html`En ${provider} usted es ${email}, y aquí nadie tiene una cuenta con esa dirección. Si tiene otra cuenta en ${provider}, use esa. Si es nuevo, pídanos una cuenta con esta dirección.`,
        },
        unverified: {
          title: () => "Su dirección no está verificada",
          lead: (provider) =>
            html`${provider} no ha verificado su dirección de correo, así que no podemos saber qué cuenta de aquí es la suya. Verifique la dirección en ${provider} e inténtelo de nuevo.`,
        },
        joined_with_another: {
          title: () => "Aquí inicia sesión otra cuenta",
          lead: (provider, email) =>
            html`La cuenta ${email} pertenece aquí a otra cuenta de ${provider}, que antes tenía esta dirección. Use aquella. Si ya no existe, solo nosotros podemos darle la cuenta de aquí.`,
        },
        paused: {
          title: () => "Su cuenta está suspendida",
          lead: () => html`Por el momento nadie puede iniciar sesión en ella.`,
        },
      },
    },
  },
  password: {
    present: "Contraseña actual",
    chosen: "Contraseña nueva",
    repeated: "Contraseña nueva, otra vez",
    rule: "Al menos 15 caracteres. Cuatro o cinco palabras que no tengan nada que ver entre sí son seguras y fáciles de recordar; se permiten espacios. Ni su correo electrónico, ni su nombre, ni su tienda, ni nuestro nombre.",
    problem: {
      too_short: "Es demasiado corta: use al menos 15 caracteres.",
      too_long: "Es demasiado larga: use como máximo 256 caracteres.",
      blank: "Son solo espacios. Elija algo que se pueda leer.",
      common: "Muchas personas tienen esta contraseña, así que es de las primeras que se prueban. Elija otra.",
      personal:
        "Es poco más que un nombre que otros conocen, así que es de las primeras que se prueban. Elija otra cosa.",
      wrong: "Esta no es su contraseña actual.",
      same: "Esta es la contraseña que ya tiene. Elija otra.",
      not_repeated: "Las dos contraseñas nuevas no son iguales. Escriba la nueva otra vez.",
    },
    tooManyAttempts: (minutes) =>
      `Demasiados intentos con una contraseña incorrecta. Inténtelo de nuevo ${inMinutes(minutes)}.`,
    change: {
      title: "Cambiar su contraseña",
      lead: "Aquí su sesión sigue abierta. En todos los demás lugares se cerrará.",
      submit: "Guardar la contraseña nueva",
      done: "Su contraseña ha cambiado. Su sesión está cerrada en todos los demás lugares.",
    },
    reset: {
      title: "Elegir una contraseña nueva",
      lead: (email) =>
        html`Para la cuenta ${email}. Su sesión se cerrará en todas partes y después podrá iniciarla con la contraseña nueva.`,
      submit: "Guardar contraseña",
    },
    ended: {
      title: "Este enlace ya no funciona",
      lead: "Un enlace para elegir una contraseña funciona una sola vez: durante 30 minutos, o durante siete días si la cuenta es nueva. Un enlace más reciente lo anula. Si acaba de elegir una contraseña con él, inicie sesión con esa contraseña.",
      next: "Si no, pida un enlace nuevo.",
    },
    forgot: {
      title: "Contraseña olvidada",
      lead: "No enviamos contraseñas por correo. Usted recibe un enlace nuestro y elige una contraseña nueva.",
      steps: [
        "Pídanos un enlace para elegir una contraseña nueva. Indíquenos el correo electrónico con el que inicia sesión.",
        "Abra el enlace antes de que pasen 30 minutos. Funciona una sola vez.",
        "Elija una contraseña nueva e inicie sesión con ella. Sus tiendas y sus aplicaciones conectadas siguen como están. Si una aplicación le envió aquí, empiece allí de nuevo.",
      ],
      askHere: "Cómo contactar con nosotros",
    },
    forgotByMail: {
      notAnAddress: "No es una dirección de correo completa, como anna@shop.example.",
      lead: "Escriba el correo electrónico con el que inicia sesión. Le enviamos un enlace para elegir una contraseña nueva.",
      submit: "Enviar el enlace",
      outOfDate: "Esta página no estaba actualizada y no se envió nada. Inténtelo una vez más.",
      tooMany: (minutes) =>
        `Se han pedido varios correos en poco tiempo. Mire en su buzón o inténtelo de nuevo ${inMinutes(minutes)}.`,
      sent: {
        title: "Mire en su buzón",
        lead: (from) =>
          html`Si existe una cuenta con este correo electrónico, un mensaje de ${from} está en camino. Su enlace funciona una sola vez, durante 30 minutos.`,
        noMail: "Si no llega ningún mensaje en cinco minutos:",
        steps: [
          "Mire también en la carpeta de correo no deseado.",
          "Quizá inicia sesión con otra dirección, o esta estaba mal escrita. Pida el enlace una vez más.",
        ],
        again: "Pedirlo una vez más",
      },
    },
  },
  consent: {
    title: (app) => `Conectar ${app}`,
    heading: (app) => html`¿Conectar ${app} con su tienda?`,
    lead: (host) => html`Decida lo que decida, volverá usted a ${host}.`,
    chooseShop: "¿Qué tienda?",
    oneShop: "Su tienda",
    by: (publisher) => html`De ${publisher}`,
    verified: (product, date) => html`Verificada por ${product} el ${date}`,
    allowOptional: "Permitir esto también. Puede excluirlo.",
    optional: "opcional",
    nothingLeft: "Ha excluido todo lo que pide la aplicación. Permita una parte o rechace la solicitud.",
    privacyPolicy: "Política de privacidad",
    wouldAllow: "Si usted lo aprueba, la aplicación podrá",
    personalData: "Datos personales:",
    notGranted: (plan) => `No se concede: no está incluido en el ${plan}.`,
    notGrantedWith: (plans) => `No se concede para las tiendas con el ${plans}, que no lo incluye.`,
    lasts: "El acceso dura hasta que usted le ponga fin",
    ending: (link, duration) =>
      html`Puede hacerlo en cualquier momento en ${link}. Caduca si la aplicación no lo usa durante ${duration}.`,
    willNever: "La aplicación nunca ve su contraseña y no obtiene nada que no figure aquí, ni nada de otras tiendas.",
    findShop: "Buscar una tienda por nombre o dominio",
    find: "Buscar",
    found: (found, all) => `${found} de ${all} tiendas`,
    foundNone: "No se ha encontrado ninguna tienda. Pruebe con una parte del nombre o del dominio.",
    showAll: "Mostrar todas",
    allowedNow: "Permitido ahora:",
    adds: "Si aprueba, se añade:",
    drops: "Si aprueba, se retira:",
    unchanged: "Lo que la aplicación puede hacer no cambia.",
    replaces:
      "Su aprobación sustituye el acceso actual de la aplicación. Para obtener el nuevo, la aplicación tiene que terminar de conectarse.",
    pausedMeans: html`<b>Suspendida:</b> Hemos suspendido esta aplicación para la tienda.`,
    unavailable: "No disponible",
    unavailableMeans: html`<b>No disponible:</b> El plan de la tienda no incluye nada de lo que pide la aplicación.`,
    away: "No accesible",
    awayMeans: html`<b>No accesible:</b> No podemos leer las conexiones de esta tienda en este momento. Inténtelo de nuevo en unos minutos.`,
    held: "No se puede elegir: hemos suspendido esta aplicación para esta tienda.",
    approve: "Aprobar",
    approveFor: (shop) => html`Aprobar para ${shop}`,
    decline: "Rechazar",
    chooseFirst: "Elija primero la tienda.",
    notOffered: "Esta tienda no se puede elegir. Elija una de las tiendas de abajo.",
    changed: "Lo que se puede conceder ha cambiado desde que se abrió esta página. Revíselo antes de aprobar.",
    otherAccount: "Ahora ha iniciado sesión con otra cuenta. Revise los datos antes de aprobar.",
    outOfDate: "Esta página no estaba al día y no se ha aprobado nada. Revise los datos antes de aprobar.",
    noShops: "Todavía no hay ninguna tienda en su cuenta",
    noShopsLead:
      "Una aplicación solo se puede conectar con una tienda. Pídanos que le añadamos a su tienda, o use otra cuenta. También puede volver a la aplicación sin conectarla.",
    back: (app) => html`Volver a ${app}`,
  },
  nothingToGrant: {
    title: (shops) => (shops === 1 ? "Su tienda no se puede conectar" : "Sus tiendas no se pueden conectar"),
    lead: (app) => html`Por ahora no se puede conceder nada a ${app}.`,
    notInPlan: (asked, plan) => `La aplicación pide «${asked}». Eso no está incluido en el ${plan}.`,
    notAllowed: "La aplicación ya no puede pedir esto. Avise al desarrollador de la aplicación.",
    held: "Hemos suspendido esta aplicación.",
    more: (shops) => (shops === 1 ? "1 tienda más" : `${shops} tiendas más`),
  },
  decline: {
    title: "¿Rechazar esta solicitud?",
    lead: (app, host) => html`${app} no obtiene acceso y usted vuelve a ${host}.`,
    back: "Atrás",
  },
  returnToPartner: {
    title: "Está volviendo a la aplicación",
    lead: (app) => html`Le llevamos de vuelta a ${app}.`,
    link: "Continuar",
  },
  connectedApps: {
    title: "Aplicaciones conectadas",
    lead: "Estas aplicaciones pueden usar datos de sus tiendas. Puede desconectar cualquiera de ellas, con efecto inmediato.",
    none: "No hay ninguna aplicación conectada con esta tienda.",
    away: "No podemos leer las conexiones de esta tienda en este momento. Nada ha cambiado en ellas. Inténtelo de nuevo en unos minutos.",
    noShops: "Todavía no hay ninguna tienda en su cuenta. Pídanos que le añadamos a su tienda.",
    can: "Puede",
    approvedBy: "Aprobada por",
    more: "Detalles",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Último uso",
    expires: "Acceso",
    expiresIfUnused: (date) => html`Caduca el ${date} si no se usa`,
    status: { connected: "Conectada", approved: "Sin completar", expired: "Caducada", disabled: "Suspendida" },
    approved:
      "La aplicación se aprobó, pero todavía no ha terminado de conectarse. Obtendrá el acceso cuando lo haga. Si tarda más de unos minutos, empiece de nuevo en la aplicación.",
    expired:
      "La aplicación no usó su acceso durante mucho tiempo, por lo que el acceso terminó. Puede pedirle que la conecte de nuevo.",
    disabled: "Hemos suspendido esta conexión. La aplicación no tiene acceso por ahora.",
    disconnect: "Desconectar",
    records: (count, number) => (count === 1 ? "1 registro" : `${number} registros`),
    calls: (count, number) => (count === 1 ? "en 1 consulta" : `en ${number} consultas`),
    read: "Leído en los últimos 30 días",
    readNothing: "Nada",
    search: "Buscar una tienda o una aplicación",
    earlier: "Anterior",
    later: "Siguiente",
    pageOf: (page, pages) => `Página ${page} de ${pages}`,
    without: (shops) => (shops === 1 ? "1 tienda sin aplicaciones" : `${shops} tiendas sin aplicaciones`),
    moreWithout: (shops) => (shops === 1 ? "Y 1 más: busque su nombre." : `Y ${shops} más: busque sus nombres.`),
    deletion: (contact) => html`Para que se borre lo que ha leído, escriba a ${contact}.`,
    howToConnect:
      "Para conectar una, empiece en la propia aplicación. Ella le envía aquí, donde elige la tienda y la aprueba.",
    disconnected: (app, shop) => html`${app} se ha desconectado y ya no tiene acceso a ${shop}.`,
  },
  disconnect: {
    title: (app) => `Desconectar ${app}`,
    heading: (app, shop) => html`¿Desconectar ${app} de ${shop}?`,
    lead: (app, shop) => html`${app} pierde de inmediato su acceso a ${shop}.`,
    consequences: (app) => [
      html`${app} ya no puede leer ni añadir nada.`,
      html`El desarrollador de la aplicación conserva lo que ha leído. Diríjase a él si quiere que se borre.`,
      html`Su tienda y sus encuestas quedan como están. Puede volver a conectar la aplicación más adelante.`,
    ],
    unfinished: (app, shop) =>
      html`${app} todavía no ha terminado de conectarse con ${shop}. Si la desconecta ahora, su aprobación deja de valer y la aplicación no obtiene acceso. Puede volver a conectarla más adelante.`,
    keep: "Mantener conectada",
  },
  account: {
    signedInAs: (merchant, email) => html`Sesión iniciada como ${merchant} ${email}`,
    useAnother: "Usar otra cuenta",
    signOut: "Cerrar sesión",
    signOutEverywhere: "Cerrar sesión en todas partes",
    changePassword: "Cambiar contraseña",
  },
  passkeys: {
    title: "Llaves de acceso",
    lead: "Una llave de acceso se guarda en su dispositivo o en su gestor de contraseñas. En cuanto tenga una, su contraseña sola ya no basta: pedimos la llave de acceso cuando inicia sesión en un dispositivo nuevo y antes de que una aplicación obtenga datos personales de sus clientes.",
    none: "Todavía no tiene ninguna llave de acceso.",
    since: (date) => html`Añadida ${date}.`,
    used: (date) => html`Último uso ${date}.`,
    unused: "Sin usar todavía.",
    change: "Cambiar el nombre o eliminar",
    name: "Nombre de la llave de acceso",
    newName: "Mi llave de acceso",
    rename: "Cambiar el nombre",
    remove: "Eliminar",
    removes: "Nadie podrá volver a usar aquí esta llave de acceso. Se cerrará su sesión en todos los demás sitios.",
    removesLast:
      "Es su única llave de acceso. Sin ella vuelve a bastar la contraseña. Se cerrará su sesión en todos los demás sitios.",
    add: "Añadir una llave de acceso",
    proveFirst: "Antes de cambiar algo aquí, confirme que es usted.",
    done: {
      added: "La llave de acceso se ha añadido. Su sesión se ha cerrado en todos los demás sitios.",
      renamed: "La llave de acceso tiene su nuevo nombre.",
      removed: "La llave de acceso se ha eliminado. Su sesión se ha cerrado en todos los demás sitios.",
    },
    problem: {
      name: "Escriba un nombre que se pueda leer, de 100 caracteres como máximo.",
      not_made:
        "No se ha podido comprobar la respuesta de su navegador, así que no se ha añadido ninguna llave de acceso. Inténtelo de nuevo.",
      changed: "Su cuenta ha cambiado mientras tanto y no se ha hecho nada. Compruébelo, por favor.",
    },
    proof: {
      title: "Confirme que es usted",
      lead: {
        sign_in: (email) =>
          html`Su contraseña es correcta. Inicia sesión en ${email} en un dispositivo que no conocemos, por eso pedimos también su llave de acceso.`,
        again: (email) => html`Use la llave de acceso de ${email}. Después seguirá donde estaba.`,
      },
      byPassword: (email) => html`Escriba la contraseña de ${email}. Después seguirá donde estaba.`,
      use: "Usar la llave de acceso",
      confirm: "Confirmar",
      failed: "No se ha usado la llave de acceso. Inténtelo de nuevo.",
      noPasskey: {
        get: "Las llaves de acceso necesitan scripts, que este navegador no ejecuta aquí, o no conoce las llaves de acceso. Use otro navegador.",
        create:
          "Las llaves de acceso necesitan scripts, que este navegador no ejecuta aquí, o no conoce las llaves de acceso. Use otro navegador para añadir una.",
      },
      lost: "¿Ha perdido su llave de acceso?",
      outOfDate: "Esta página no estaba al día. Inténtelo otra vez.",
      wrong: "Esta llave de acceso no se puede usar aquí. Inténtelo de nuevo.",
    },
  },
  failure: {
    invalid_link: {
      title: "Este enlace no funciona",
      lead: (app) =>
        html`${app} le ha enviado aquí con una solicitud que no podemos aceptar. No se ha compartido nada. Vuelva a la aplicación e inténtelo de nuevo. Si se repite, avise al desarrollador de la aplicación.`,
    },
    client_disabled: {
      title: "Esta aplicación no se puede conectar",
      lead: (app) =>
        html`${app} no puede conectar tiendas por ahora. No se ha compartido nada. Consulte al desarrollador de la aplicación.`,
    },
    already_connected: {
      title: "Ya está conectada",
      lead: "Esta aplicación está conectada a la tienda elegida. Aquí no queda nada por hacer.",
    },
    ended: {
      title: "Esta solicitud ha terminado",
      lead: "Ya recibió una respuesta, tardó demasiado o se inició en otro navegador. Aquí no ocurre nada más. Para conectar una tienda, vuelva a la aplicación y empiece de nuevo.",
    },
    foreign_form: {
      title: "No hemos aceptado este envío",
      lead: "Lo que se envió no procedía de una de nuestras páginas, así que no hemos hecho nada. Vuelva atrás e inténtelo de nuevo.",
    },
    bad_request: {
      title: "No hemos podido leer este envío",
      lead: "Lo que envió su navegador no estaba completo, así que no hemos hecho nada. Vuelva atrás e inténtelo de nuevo.",
    },
    not_found: {
      title: "Aquí no hay nada",
      lead: "Puede que la dirección esté mal escrita o que la página ya no exista.",
    },
    too_many_requests: {
      title: "Demasiadas solicitudes",
      lead: "Han llegado muchas solicitudes desde su red en poco tiempo.",
    },
    unavailable: {
      title: "Inténtelo de nuevo en un momento",
      lead: "Ahora mismo no podemos responder. No se ha perdido ni compartido nada. Inténtelo de nuevo dentro de unos segundos.",
    },
    unexpected: {
      title: "Algo ha fallado aquí",
      lead: "El error es nuestro. Inténtelo de nuevo.",
    },
  },
  failurePage: {
    toApp: (app) => html`Ir a ${app}`,
    help: "Obtener ayuda. Indíquenos el número de abajo",
    wait: (seconds) =>
      seconds === 1 ? "Inténtelo de nuevo dentro de un segundo." : `Inténtelo de nuevo dentro de ${seconds} segundos.`,
    approved: (app, shop) => html`Ha aprobado ${app} para ${shop}. Aquí no queda nada por hacer.`,
    unnamedApp: "La aplicación",
    forDevelopers: "Para desarrolladores",
    requestId: "Solicitud",
  },
  noServer: {
    lead: "Ahora mismo no podemos responder. Espere unos segundos y vuelva a intentarlo.",
    tryAgain: "Volver a intentarlo",
  },
  waiting: { decision: (app) => html`${app} espera su decisión.`, continue: "Seguir con la solicitud" },
};
