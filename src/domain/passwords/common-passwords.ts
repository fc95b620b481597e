/**
 * Common passwords, and words that many users extend to a password, in lower case. The first groups are from the public
 * lists of the most frequent passwords, the others are names, words and dates that such lists are full of.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
password passwort password0 password1 password12 password123 passw0rd passwd pass pass1234 passpass mypassword
thepassword nopassword yourpassword newpassword oldpassword userpassword adminpassword passwordpassword motdepasse
contrasena contraseña senha senha123 wachtwoord haslo parola kennwort hasło heslo salasana lozinka sifre parool
letmein letmeinnow trustno1 changeme changeit changethis changenow iloveyou iloveu iloveyou1 iloveyou2 iloveyou123
loveyou loveme lovely lover loverboy lovers ilovegod ilovejesus ilovemom ilovemyself teamo tequiero teamomucho
sunshine princess football baseball basketball softball hockey soccer superman batman spiderman ironman wolverine
master masterkey shadow monkey dragon mustang michael michelle jessica jennifer jordan jordan23 hunter hunter2
buster thomas tigger robert access access14 flower freedom whatever qazwsx ninja azerty azertyuiop solo starwars
loveme killer trustme charlie donald andrew harley ranger daniel hannah maggie ginger joshua cheese amanda summer
ashley nicole chelsea biteme matthew yankees dallas austin thunder taylor matrix mobilemail montana moon moscow
welcome welcome1 welcome123 hello hello123 hellohello helloworld goodbye login logmein qwerty qwerty1 qwerty12
qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertz qwertzuiop qwe123 qwe123qwe qweasd qweasdzxc
qweqwe qweqweqwe asdf asdf1234 asdfasdf asdfgh asdfghj asdfghjk asdasd asdasdasd asd123 asd123456 zxcvbn zxcvbnm
zxcvbnm123 zxczxc zxc123 zaq12wsx zaq1zaq1 zaq1xsw2 xsw21qaz 1qazxsw2 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r
1q2w3e4r5t 1q2w3e 1q2w3e4 1qw23er4 q1w2e3 q1w2e3r4 q1w2e3r4t5 qazxsw qazwsxedc qaz123 wsxedc edcrfv poiuytrewq
lkjhgfdsa mnbvcxz mnbvcxza plmokn qpwoeiruty a1b2c3 a1b2c3d4 a1s2d3f4 a123456 a1234567 a12345678 a123456789 aa123456
aa12345678 aaa111 abc123 abc1234 abc12345 abc123456 abcd123 abcd1234 abcd12345 abcde12345 abcdef123 abc123abc 123abc
123abc123 123qwe 123qweasd 123qwe123 123asd 123qaz qwer1234 asdf123 zxcv1234 q123456 q123456789 qq123456 qq123456789
w123456 z123456 x123456 s123456 wang1234 li123456 zhang123 123456a 123456aa 123456abc 123456789a 123456q 123456qq
12345qwert 1234qwer 12qwaszx 12qw34er 1a2b3c4d 1a2s3d4f 1234abcd 12345abc 12345a 11112222 11223344 112233
1122334455 12121212 121212 12131415 12341234 123412345 12344321 1234512345 12345600 12345601 123456 1234567 12345678
123456780 1234567899 123456789 1234567890 12345678900 12345678910 123456123 123456123456 1234567891 12345679 12345687
123321 1233211 123321123 123321123321 123123 123123123 12312312 123654 1236547 12365478 123654789 123698745 12369874
1478963 147258 14725836 147258369 147852 147852369 159159159 159357 15935728 159753 1597530 159753456 159951 19191919
321321321 321654987 456456456 456789123 456852 654321 7654321 75395100 753951 753951456 741852 741852963 789456 789456123
7894561230 789789789 852456 85208520 87654321 963852741 98765432 987654321 9876543210 999888777 987987987 951753
00000000 000000000 0000000000 00001111 01010101 01020304 010203040506 01234567 0123456789 0987654321 098765432 10101010
1010101010 102030 10203040 1020304050 11111111 111111111 1111111111 11110000 111222333 111222333444 12300000 20202020
20002000 20012001 20082008 20102010 20202020 21212121 22222222 23232323 23456789 25252525 31415926 314159265 3141592653
33333333 34343434 36363636 41414141 42424242 44444444 45454545 52013140 5201314 520131400 5201314520 52052052 520520520
52525252 54321000 55555555 55667788 56565656 66666666 66778899 67676767 69696969 77777777 78787878 78945612 88888888
8888888888 88889999 89898989 90909090 98989898 99887766 99999999 11235813 1123581321 27182818 16161616 13131313
13141314 1314520 13145200 1314521 131452000 14141414 15151515 17171717 18181818 18273645 110110110 119119119 12011201
woaini woaini123 woaini520 woaini1314 woaini521 woaiwojia woaima wodemima mima1234 mimamima nihao123 nihaoma nihaonihao
zhangwei wangwei wangfang liwei liuwei zhangmin wangjing lijing woshishui tiantian xiaoxiao beijing shanghai shenzhen
guangzhou hangzhou zhongguo china china123 iloveyou520 aini1314 aini520 asd123456 qazwsx123 caonima caonima123 dearbook
admin admin1 admin12 admin123 admin1234 admin12345 adminadmin administrator root root1234 rootroot toor superuser
supervisor sysadmin system system32 server operator manager guest guest123 user user1234 username usuario test test1
test12 test123 test1234 test12345 testtest testing testing1 testing123 tester demo demo1234 demodemo temp temp1234
temporary default sample example private public secret secret1 secret123 secrets topsecret mysecret security secure
computer internet windows windows7 windows10 microsoft office google google123 facebook twitter instagram youtube
whatsapp linkedin myspace1 myspace yahoo hotmail gmail samsung samsung1 iphone android nokia huawei xiaomi honor oppo
vivo meizu apple carillon push pushpush notify notification oracle database postgres mysql mongodb redis nginx docker
linux ubuntu debian github gitlab jenkins cisco cisco123 raspberry network wireless router modem intel dell compaq
toshiba lenovo thinkpad macintosh macbook playstation nintendo xbox360 xbox pokemon pikachu mario zelda minecraft
roblox fortnite warcraft starcraft diablo counter counterstrike leagueoflegends dota callofduty halflife doom quake
letmein1 letmein2 letmein123 access123 p4ssword pa55word pa55w0rd passme pass123 pass12 pass12345 password2 password3
password4 password5 password6 password7 password8 password9 password10 password11 password13 password21 password22
password99 password1234 password12345 password2020 password2021 password2022 password2023 password2024 password2025
password2026 password2027 spring2024 summer2024 autumn2024 winter2024 spring summer autumn winter fall january
february march april may june july august september october november december monday tuesday wednesday thursday friday
saturday sunday weekend today tomorrow yesterday birthday holiday christmas halloween easter valentine newyear
football1 baseball1 basketball1 soccer1 hockey1 liverpool liverpool1 arsenal arsenal1 chelsea1 manchester manutd
manunited everton tottenham rangers celtic barcelona realmadrid juventus milan inter bayern dortmund ajax galatasaray
fenerbahce besiktas trabzon steelers cowboys packers eagles patriots broncos raiders redskins dolphins panthers lakers
bulls celtics warriors spurs heat knicks yankees1 redsox dodgers giants cardinals braves angels cubs tigers mets phillies
redskin ferrari porsche mercedes corvette mustang1 camaro chevrolet chevy toyota honda nissan yamaha suzuki kawasaki
harley1 davidson ducati bmw audi volkswagen lamborghini bugatti jaguar subaru mitsubishi mazda hyundai renault peugeot
princess1 sunshine1 monkey1 dragon1 shadow1 master1 superman1 batman1 michael1 charlie1 jessica1 ashley1 daniel1
jordan1 hunter1 hannah1 thomas1 andrew1 matthew1 anthony anthony1 william william1 joseph joseph1 david david1 james
james1 richard christopher christian nicholas alexander alexandra alexander1 alexandra1 elizabeth elizabeth1 victoria
victoria1 stephanie stephen steven steve brandon brandon1 brian bradley benjamin benjamin1 samantha samantha1 natasha
natalie vanessa veronica rebecca rachel patricia patrick pamela olivia nathan monica miguel melissa martin martina maria
mariana margaret madison lauren laura kimberly kevin kenneth katherine justin julian jonathan johnny john1234 joanna
jasmine isabella heather gregory george gabriel gabriela francisco fernando fernanda eduardo dominic diana denise
danielle cristina courtney claudia catherine carolina carlos barbara antonio antonia angelina angelica andrea amelia
alejandro alejandra adriana abigail sophie sophia sebastian scott sandra roberto ricardo phillip oliver mohammed
muhammad mohamed ahmed fatima aisha hassan hussain ibrahim abdullah krishna ganesh lakshmi sairam omsairam jaihind
india123 pakistan bangladesh indonesia malaysia philippines vietnam thailand australia england scotland ireland america
canada mexico brasil brazil argentina colombia chile peru espana france germany deutschland italia portugal russia
poland ukraine turkey turkiye istanbul ankara london london1 paris berlin madrid rome newyork chicago boston denver
houston phoenix seattle sydney toronto tokyo mumbai delhi jakarta manila bangkok dubai cairo jerusalem
jesus jesus1 jesus123 jesuschrist jesuslovesme jesusislord godisgood godbless godisgreat blessed blessing heaven angel
angel1 angels1 angel123 faith faith1 grace hope believe miracle church christ bible lord savior amen hallelujah allah
allahuakbar bismillah inshallah alhamdulillah buddha family family1 mother father mommy daddy daddysgirl babygirl
babygirl1 babyboy baby1234 babydoll sweetheart sweety sweetie sweetpea honey honeybee sugar candy cookie cookie1 cupcake
chocolate chocolat vanilla cinnamon pepper peanut butter butterfly butterfly1 buttercup banana orange cherry
strawberry blueberry pineapple watermelon coconut lemonade cocacola pepsi coffee starbucks pizza hamburger sandwich
spaghetti bubbles bubblegum snickers skittles twinkie oreo muffin pancake waffle popcorn pickle potato tomato pumpkin
flower1 flowers rainbow rainbow1 sunflower rose rosebud daisy lily violet orchid jasmin garden forest river mountain
ocean beach island paradise sunset sunrise moonlight midnight starlight stardust universe galaxy saturn jupiter mercury
venus pluto neptune uranus earth planet rocket apollo phoenix1 griffin unicorn mermaid fairy pixie tinkerbell peterpan
cinderella snowwhite aladdin simba lionking mickey mickeymouse minnie donaldduck goofy scooby scoobydoo garfield snoopy
spongebob patrick1 barney elmo kermit shrek nemo buzzlightyear hellokitty harrypotter hermione dumbledore gryffindor
slytherin hogwarts voldemort gandalf frodo legolas aragorn bilbo gollum lordoftherings starwars1 skywalker anakin
darthvader vader yoda chewbacca hansolo jedi startrek spock enterprise kirk picard voyager stargate terminator
predator alien matrix1 neo trinity morpheus rambo rocky goldeneye jamesbond bond007 agent007 james007 jordan123
naruto sasuke sakura hinata itachi kakashi goku vegeta dragonball onepiece luffy zoro bleach ichigo deathnote
eminem metallica slipknot nirvana ironmaiden acdc greenday linkinpark blink182 rockstar rocknroll guitar guitarist
drummer music music1 musical hiphop gangster gangsta thuglife tupac 2pac biggie 50cent rihanna beyonce shakira madonna
michaeljackson elvis beatles yellow purple black blackcat blackberry blackjack white green blue blue123 bluebird red
redrose orange1 pink pinky silver silver1 golden golden1 gold diamond diamonds crystal emerald ruby sapphire pearl
tiger tiger1 tigers1 lion panther leopard cheetah puma cougar wolf wolves werewolf coyote fox foxy bear teddy teddybear
panda koala monkey123 monkeys gorilla elephant giraffe zebra hippo rhino horse horses pony cowboy cowgirl cow piggy
chicken turkey1 eagle eagles1 falcon hawk raven penguin dolphin dolphin1 shark whale turtle lizard snake viper cobra
python spider scorpion ladybug puppy puppies kitten kitty kittycat doggie doggy cat cats dogs bulldog rottweiler
labrador poodle beagle husky german shepherd lucky lucky1 lucky7 lucky13 buddy buddy1 bailey bandit baxter bella boomer
brandy bruno buster1 casper chester chloe cooper dakota duke felix fluffy gizmo jackson jasper lady lucy max maxwell
midnight1 milo misty molly murphy oscar patches peaches pebbles precious princesa princesse prince rascal riley rocky1
roxy rufus rusty sadie sam samson sasha sassy scout shadow2 simba1 smokey snowball sophie1 sparky spike sunny sweetpea1
tasha toby trixie tucker whiskers winston yoyo ziggy zoey
fuckyou fuckyou1 fuckyou2 fuckoff fuckme fuckthis motherfucker asshole bitch bitches bullshit shithead bastard sexy
sexy123 sexygirl sexyboy sexyback sexlife hotgirl hottie hotstuff naughty pussy pussycat penis vagina porn playboy
player player1 gamer gamer123 killer1 killers killer123 assassin sniper soldier warrior warrior1 gladiator spartan
spartacus samurai ninja1 ninja123 viking pirate pirates buccaneer captain admiral general sergeant marine marines army
navy airforce police fireman firefighter doctor nurse teacher student school college university engineer lawyer
president obama trump clinton kennedy lincoln washington hitler napoleon einstein darwin newton galileo mozart beethoven
money money1 money123 cash dollar million millionaire billionaire richard1 success winner winner1 champion champions
number1 numberone number10 thebest thebest1 forever forever1 forever21 always never nothing something everything
anything whatever1 whatever123 blahblah blahblahblah asdfjkl asdfjkl1 lalala lalalala hahaha hahahaha jajaja
hehehe hihihi hohoho kakaka qqqqqq zzzzzz xxxxxx iloveyou3 iloveyou4ever loveyou1 lovely1 love123 love1234 lovelove
loveforever truelove mylove mylove1 myself mybaby myangel mygirl myfamily mydog mycat myname mypass mypass123 mypc
myhome mylife mylord friend friends friends1 friendship bestfriend bestfriends forever2 together smile smiley happy
happy1 happy123 happyday happiness lucky123 freedom1 liberty peace peaceful harmony destiny dreams dreamer dreaming
imagine magic magical magician mystery mystic spirit wizard wisdom knight dragon123 dragons dragonfly phantom ghost
zombie vampire twilight angel666 devil devil666 lucifer satan demon hellfire inferno abracadabra alakazam opensesame
sesame password! p@ssword p@ssw0rd pa$$word pa$$w0rd qwerty! 1234!@#$ 1qaz@wsx 1qaz!qaz !qaz2wsx !@#$%^&* !@#$%^&*( !qaz1qaz
xxxxxxxx zzzzzzzz qqqqqqqq aaaaaaaa abcdefgh abcdefg abcdefghi abcdefghij abcdef abcde qwertyui qwertyuio qwert
asdfghjkl asdfghjkl1 zxcvbnm1 zxcvbnm123456 test123456 admin123456 root123456 user123456 pass123456 qwe123456 abc123456789
`
    .trim()
    .split(/\s+/),
);
